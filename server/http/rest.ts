/**
 * The REST door: walks the table of routes and answers each row's call by its procedure.
 *
 * A plain `(req, res)` function, so that it can stand inside Express or in front of it.
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
  /** Told of every fault that is ours, and of the request that met it. */
  report: (error: unknown, req: IncomingMessage) => void;
}

type Door = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

type Row = { method: string; procedure: ProcedurePath };

const rowsByPath = new Map<string, Row[]>();
for (const [procedure, { method, path }] of Object.entries(routes)) {
  const row = { method, procedure: procedure as ProcedurePath };
  rowsByPath.set(path, [...(rowsByPath.get(path) ?? []), row]);
}

/** Answers every call below /api, with JSON and nothing else. */
export function createRestAdapter({ createContext, body, report }: AdapterOptions): Door {
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
      const fault = errorResponseOf(error);
      if (fault.status >= 500) report(error, req);
      await drain(req);
      sendErrorResponse(res, fault);
    }
  };
}

function findProcedure(req: IncomingMessage, res: ServerResponse, pathname: string): ProcedurePath {
  const rows = rowsByPath.get(pathname);
  if (!rows) throw new TRPCError({ code: 'NOT_FOUND', message: sentences.unknownCall });
  const row = rows.find(({ method }) => method === req.method);
  if (row) return row.procedure;
  res.setHeader('Allow', rows.map(({ method }) => method).join(', '));
  throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: sentences.wrongMethod });
}

async function jsonOf(req: IncomingMessage, body: BodyReader, limit: number): Promise<unknown> {
  if (!hasBody(req)) return undefined;
  if (mediaType(req) !== 'application/json') {
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: sentences.wrongType });
  }
  return body.json(req, limit);
}
