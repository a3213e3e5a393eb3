/**
 * A tRPC link that speaks the product's REST calls: typed hooks on this side, the calls of the
 * contract on the wire. It walks the same table as the server.
 */
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../../server/contract/api.ts';
import { type ProcedurePath, routes } from '../../server/contract/routes.ts';
import { fetchOk } from './http.ts';

interface Call {
  path: string;
  type: 'query' | 'mutation' | 'subscription';
  input: unknown;
  /** May name `headers` that go with the call. */
  context?: Record<string, unknown>;
  signal?: AbortSignal | null;
}

/** How long a call may take, in ms. One that takes longer has failed. */
export const timeoutMs = 15_000;

/** Ends the chain of links: each operation becomes one REST call. */
export function restLink(): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const ended = new AbortController();
        const signal = op.signal ? AbortSignal.any([op.signal, ended.signal]) : ended.signal;
        const timer = setTimeout(() => {
          ended.abort(new DOMException('There was no answer in time.', 'TimeoutError'));
        }, timeoutMs);
        const call = send({ ...op, signal }).finally(() => clearTimeout(timer));
        call.then(
          (data) => {
            observer.next({ result: { type: 'data', data } });
            observer.complete();
          },
          (cause: unknown) => {
            const error = cause instanceof Error ? cause : new Error(String(cause));
            observer.error(TRPCClientError.from(error));
          },
        );
        return () => ended.abort();
      });
}

async function send({ path, type, input, context, signal = null }: Call): Promise<unknown> {
  const { method, path: address } = routes[path as ProcedurePath];
  if (method === 'GET') {
    const response = await fetchOk(address + queryOf(input), { method, signal });
    return response.json();
  }
  const headers = context?.headers as Record<string, string> | undefined;
  const response = await fetchOk(address, {
    method,
    signal,
    ...(input !== undefined && {
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(input),
    }),
  });
  // A change is judged by its status alone; what the answer says besides is not read.
  return type === 'mutation' ? undefined : response.json();
}

/** `?key=value` for the values that are there; inputs of GET calls are flat text (see the table). */
function queryOf(input: unknown): string {
  const pairs = Object.entries((input ?? {}) as Record<string, string | undefined>);
  const query = new URLSearchParams(
    pairs.filter((pair): pair is [string, string] => pair[1] !== undefined),
  ).toString();
  return query && `?${query}`;
}
