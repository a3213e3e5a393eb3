/**
 * A tRPC link that sends REST calls: typed hooks in the client, the contract's REST API on the wire.
 * It reads the same route table as the server.
 */
import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../../server/contract/api.ts';
import { type ProcedurePath, routes } from '../../server/contract/routes.ts';
import { fetchOk } from './http.ts';

/** The default timeout of a call, in ms. */
const defaultTimeoutMs = 15_000;

/** What a caller can pass as `trpc.context`. */
interface CallContext {
  /** Further headers of a mutation, read when it is sent. */
  headers?: () => Record<string, string>;
  timeoutMs?: number;
  /** Whether the request outlives the page, when that is being closed. */
  keepalive?: boolean;
}

/**
 * The terminating link: each operation becomes one REST call. A query that starts during or after the logout, before
 * its screen has left, is not sent, because the server could only refuse it: it fails when the logout ends.
 */
export function restLink(): TRPCLink<AppRouter> {
  let logout: Promise<unknown> | undefined;
  const call = async (op: Operation): Promise<unknown> => {
    if (op.type === 'query' && logout !== undefined) {
      await logout.catch(() => {});
      throw new Error('The session has ended.');
    }
    // After a logout the next mutation is a login.
    if (op.type === 'mutation') logout = undefined;
    if (op.path !== 'auth.logout') return send(op);
    logout = send(op);
    return logout.catch((error: unknown) => {
      logout = undefined;
      throw error;
    });
  };
  return () =>
    ({ op }) =>
      observable((observer) => {
        const { timeoutMs } = op.context as CallContext;
        const timeout = AbortSignal.timeout(timeoutMs ?? defaultTimeoutMs);
        const signal = op.signal ? AbortSignal.any([op.signal, timeout]) : timeout;
        call({ ...op, signal }).then(
          (data) => {
            observer.next({ result: { type: 'data', data } });
            observer.complete();
          },
          (cause: unknown) => {
            const error = cause instanceof Error ? cause : new Error(String(cause));
            observer.error(TRPCClientError.from(error));
          },
        );
      });
}

async function send({ path, input, context, signal = null }: Operation): Promise<unknown> {
  const route = routes[path as ProcedurePath];
  const { method, path: address } = route;
  if (method === 'GET') {
    const response = await fetchOk(address + queryOf(input), { method, signal });
    return response.json();
  }
  const { headers, keepalive } = context as CallContext;
  const response = await fetchOk(address, {
    method,
    signal,
    ...(keepalive && { keepalive }),
    ...(input !== undefined && {
      headers: { 'Content-Type': 'application/json', ...headers?.() },
      body: JSON.stringify(input),
    }),
  });
  if ('returns' in route) return response.json();
  // Of other mutations only the status matters. With an unread body the browser would report an aborted request.
  void response.arrayBuffer().catch(() => {});
  return { ok: true };
}

/** The query string of the defined values. Inputs of GET calls are flat strings (see the route table). */
function queryOf(input: unknown): string {
  const pairs = Object.entries((input ?? {}) as Record<string, string | undefined>);
  const query = new URLSearchParams(
    pairs.filter((pair): pair is [string, string] => pair[1] !== undefined),
  ).toString();
  return query && `?${query}`;
}
