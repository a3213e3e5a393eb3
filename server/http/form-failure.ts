/** What a page with a form says when the form could not be handled. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponseOf } from '../trpc/errors.ts';
import type { AdapterOptions } from './handler.ts';
import { drain } from './request/drain.ts';
import { requestIdHeader, requestIdOf } from './request/request-id.ts';

/** For a form whose body was not read, so that its page cannot repeat the values. */
export const goBack = 'Go back in your browser: your text is still in the form.';

export interface FormFailure {
  status: number;
  /** The sentences for the visitor. */
  message: string;
  /** The closest free times to one that is taken, as ISO 8601. */
  nearest?: readonly string[];
}

/** Reports an internal error, drains the request's body and sets the headers of the error response. */
export async function formFailure(
  { report }: Pick<AdapterOptions, 'report'>,
  error: unknown,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
): Promise<FormFailure> {
  const { status, message, issues, nearest, retryAfter } = errorResponseOf(error);
  if (status >= 500) {
    report(error, req);
    res.setHeader(requestIdHeader, requestIdOf(req));
  }
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  await drain(req);
  return {
    status,
    message: issues?.map((issue) => issue.message).join(' ') ?? message,
    ...(nearest && { nearest }),
  };
}
