/** What a page with a form says when the form could not be handled. */
import type { Request, Response } from 'express';
import type { SiteWords } from '../contract/words/words.ts';
import type { AdapterOptions } from './handler.ts';
import { requestIdHeader, requestIdOf } from './request/request-id.ts';
import { visitorResponseOf } from './visitor-error.ts';

export interface FormFailure {
  status: number;
  /** The sentences for the visitor. */
  message: string;
  /** The closest free times to one that is taken, as ISO 8601. */
  nearest?: readonly string[];
}

/** Reports an internal error and sets the headers of the error response. */
export function formFailure(
  { report }: Pick<AdapterOptions, 'report'>,
  error: unknown,
  { req, res, words }: { req: Request; res: Response; words: SiteWords },
): FormFailure {
  const { status, message, issues, nearest, retryAfter } = visitorResponseOf(error, words);
  if (status >= 500) {
    report(error, req);
    res.setHeader(requestIdHeader, requestIdOf(req));
  }
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  return {
    status,
    message: issues?.map((issue) => issue.message).join(' ') ?? message,
    ...(nearest && { nearest }),
  };
}
