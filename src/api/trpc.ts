import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '../../server/contract/api.ts';
import { HttpError } from './http.ts';
import { restLink } from './rest-link.ts';

/** Typed hooks of every procedure: `trpc.contact.submit.useMutation()`. */
export const trpc = createTRPCReact<AppRouter>();

/** The client behind the hooks: it makes the REST calls of the contract. */
export const trpcClient = trpc.createClient({ links: [restLink()] });

/** The answer that refused a call, or undefined when there was none (a dead network). */
export function errorResponseOf(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  return error instanceof Error && error.cause !== undefined
    ? errorResponseOf(error.cause)
    : undefined;
}
