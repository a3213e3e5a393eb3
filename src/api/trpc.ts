import type { TRPCLink } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '../../server/contract/api.ts';
import { HttpError } from './http.ts';
import { restLink } from './rest-link.ts';

/**
 * Typed hooks of every procedure: `trpc.contact.submit.useMutation()`. A query that is cancelled, by Logout for
 * example, or that no component needs any more aborts its request.
 */
export const trpc = createTRPCReact<AppRouter>({ abortOnUnmount: true });

/** Creates the tRPC client of the hooks, which sends the contract's REST calls after these links. */
export const createClient = (links: TRPCLink<AppRouter>[] = []) =>
  trpc.createClient({ links: [...links, restLink()] });

/** The error response of a failed call; undefined when there was no response (network failure). */
export function errorResponseOf(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  return error instanceof Error && error.cause !== undefined
    ? errorResponseOf(error.cause)
    : undefined;
}
