/**
 * The REST adapter: maps each route of the contract to its tRPC procedure.
 *
 * It is a plain `(req, res)` function, so that it works inside and in front of Express.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import { type ProcedurePath, routes } from '../contract/routes.ts';
import { call } from '../trpc/call.ts';
import type { Context } from '../trpc/context.ts';
import { errorResponseOf, sentences } from '../trpc/errors.ts';
import { type BodyReader, bodyLimitOf, drain, hasBody, mediaType } from './body.ts';
import { sendErrorResponse, sendJson } from './error-response.ts';
import { pathOf } from './pages.ts';
import { queryOf } from './query.ts';

export interface AdapterOptions {
  createContext: (req: IncomingMessage, res: ServerResponse) => Context;
  body: BodyReader;
  /** Logs an internal error (status 500 and above) with its request. */
  report: (error: unknown, req: IncomingMessage) => void;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

type Route = { method: string; procedure: ProcedurePath };

const routesByPath = new Map<string, Route[]>();
for (const [procedure, { method, path }] of Object.entries(routes)) {
  const route = { method, procedure: procedure as ProcedurePath };
  routesByPath.set(path, [...(routesByPath.get(path) ?? []), route]);
}

/** Creates the handler of all paths below /api, which responds with JSON. */
export function createRestAdapter({ createContext, body, report }: AdapterOptions): Handler {
  return async function rest(req, res) {
    try {
      const procedure = findProcedure(req, res, pathOf(req));
      const input =
        req.method === 'GET'
          ? Object.fromEntries(queryOf(req))
          : await jsonOf(req, body, bodyLimitOf(procedure));
      const output = await call(procedure, input, createContext(req, res));
      if (output === undefined) return void res.writeHead(204).end();
      sendJson(res, 200, output);
    } catch (error) {
      const response = errorResponseOf(error);
      if (response.status >= 500) report(error, req);
      await drain(req);
      sendErrorResponse(res, response);
    }
  };
}

function findProcedure(req: IncomingMessage, res: ServerResponse, pathname: string): ProcedurePath {
  const candidates = routesByPath.get(pathname);
  if (!candidates) throw new TRPCError({ code: 'NOT_FOUND', message: sentences.unknownCall });
  const route = candidates.find(({ method }) => method === req.method);
  if (route) return route.procedure;
  res.setHeader('Allow', candidates.map(({ method }) => method).join(', '));
  throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: sentences.wrongMethod });
}

async function jsonOf(req: IncomingMessage, body: BodyReader, limit: number): Promise<unknown> {
  if (!hasBody(req)) return undefined;
  if (mediaType(req) !== 'application/json') {
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: sentences.wrongType });
  }
  return body.json(req, limit);
}
