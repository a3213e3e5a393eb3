/** The REST adapter: maps each route of the contract to its tRPC procedure. */
import type { IncomingMessage } from 'node:http';
import { callTRPCProcedure } from '@trpc/server';
import { type ProcedurePath, routes } from '../contract/routes.ts';
import type { Context } from '../trpc/context.ts';
import { ApiError } from '../trpc/errors.ts';
import { appRouter } from '../trpc/router.ts';
import { type AdapterOptions, byMethod, type Handler } from './handler.ts';
import { type BodyReader, bodyLimitOf, hasBody, mediaType } from './request/body.ts';
import { queryOf } from './request/url.ts';
import { sendJson } from './response.ts';

/** Creates the handlers of all calls in the contract by path. They respond with JSON. */
export function createRestCalls({ createContext, body }: AdapterOptions): Record<string, Handler> {
  const handlers: Record<string, Record<string, Handler>> = {};
  for (const [name, { method, path }] of Object.entries(routes)) {
    const procedure = name as ProcedurePath;
    handlers[path] = {
      ...handlers[path],
      async [method](req, res) {
        const ctx = createContext(req, res);
        const input =
          method === 'GET'
            ? Object.fromEntries(queryOf(req))
            : await jsonOf(req, body, await bodyLimitOf([procedure], ctx));
        const output = await callProcedure(procedure, input, ctx);
        if (output === undefined) return void res.writeHead(204).end();
        sendJson(res, 200, output);
      },
    };
  }
  return Object.fromEntries(
    Object.entries(handlers).map(([path, methods]) => [path, byMethod(methods)]),
  );
}

/** Calls a procedure with unvalidated input; the procedure validates it. */
export function callProcedure(path: ProcedurePath, input: unknown, ctx: Context): Promise<unknown> {
  return callTRPCProcedure({
    router: appRouter,
    path,
    type: routes[path].method === 'GET' ? 'query' : 'mutation',
    getRawInput: async () => input,
    ctx,
    signal: undefined,
    batchIndex: 0,
  });
}

async function jsonOf(req: IncomingMessage, body: BodyReader, limit: number): Promise<unknown> {
  if (!hasBody(req)) return undefined;
  if (mediaType(req) !== 'application/json') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  }
  return body.json(req, limit);
}
