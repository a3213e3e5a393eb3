/** The tRPC adapter: the same router for tRPC clients, at /api/trpc. */
import { TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { Request, Response } from 'express';
import { appRouter } from '../app/router.ts';
import { fileBodyLimit } from '../contract/file-text.ts';
import { ApiError, errorResponseOf } from '../trpc/errors.ts';
import { requireAccess } from '../trpc/trpc.ts';
import type { AdapterOptions, Handler } from './handler.ts';
import { bodyLimitOf, requireJson } from './request/body.ts';
import { requestIdHeader, requestIdOf } from './request/request-id.ts';
import { pathOf } from './request/url.ts';
import { sendJson, setErrorHeaders } from './response.ts';

const trpcPath = '/api/trpc/';

/** Each path below names the procedures to call. */
export const trpcPaths = new RegExp(`^${trpcPath}`);

/** Maximum calls in one HTTP request (batch). */
const batchLimit = 8;

interface TrpcAdapterOptions extends AdapterOptions {
  /** Counts a rejected sign-in. */
  countRejectedSignIn: () => void;
}

/** Creates the handler of `trpcPaths`. */
export function createTrpcAdapter({
  createContext,
  body,
  report,
  countRejectedSignIn,
}: TrpcAdapterOptions): Handler {
  return async function handleTrpc(req, res) {
    const path = pathOf(req).slice(trpcPath.length);
    // A streamed response would be sent before a procedure can set its cookie or its status.
    delete req.headers['trpc-accept'];
    const ctx = createContext(req, res);
    try {
      checkRequest(req, res, path);
      const limit = bodyLimitOf(path.split(','));
      // No stranger may fill the memory with a file. tRPC parses the body after the checks of the procedure.
      if (limit === fileBodyLimit) await requireAccess(ctx, { session: true });
      if (req.method === 'POST') req.body = await body.jsonText(req, res, limit);
    } catch (error) {
      if (errorResponseOf(error).status >= 500) report(error, req);
      return sendTrpcError(res, path, error);
    }
    await nodeHTTPRequestHandler({
      req,
      res,
      path,
      router: appRouter,
      createContext: () => ctx,
      maxBatchSize: batchLimit,
      responseMeta({ errors, info }) {
        const waits = errors.flatMap((error) => errorResponseOf(error).retryAfter ?? []);
        const headers = new Headers({ 'Cache-Control': 'no-store' });
        if (errors.some((error) => errorResponseOf(error).status >= 500)) {
          headers.set(requestIdHeader, requestIdOf(req));
        }
        if (waits.length > 0) headers.set('Retry-After', String(Math.max(...waits)));
        // tRPC has no code for a temporary error of ours (503), so set the status here.
        const [error] = info?.calls.length === 1 ? errors : [];
        // Queries take GET and mutations POST; `checkRequest` has rejected all other methods.
        if (error?.code === 'METHOD_NOT_SUPPORTED') {
          headers.set('Allow', req.method === 'GET' ? 'POST' : 'GET');
        }
        return { headers, ...(error && { status: errorResponseOf(error).status }) };
      },
      onError({ error, path }) {
        const { status } = errorResponseOf(error);
        if (status >= 500) report(error, req);
        if (isSignIn(path) && (status === 401 || status === 429)) countRejectedSignIn();
      },
    });
  };
}

const isSignIn = (path: string | undefined) =>
  path === 'auth.login' || path === 'auth.signInWithLink';

/** Rejects what tRPC's adapter would accept, or reject with other messages than the REST adapter. */
function checkRequest(req: Request, res: Response, path: string): void {
  if (path.includes('%')) throw new ApiError('NOT_FOUND');
  if (req.method !== 'GET' && req.method !== 'POST') {
    res.setHeader('Allow', 'GET, POST');
    throw new ApiError('METHOD_NOT_ALLOWED');
  }
  if (path.split(',').length > batchLimit) {
    throw new ApiError('BATCH_TOO_LARGE');
  }
  if (req.method === 'POST') requireJson(req);
}

/** Sends the error in tRPC's envelope. */
function sendTrpcError(res: Response, path: string, error: unknown): void {
  const response = errorResponseOf(error);
  const { status, message, code: errorCode } = response;
  setErrorHeaders(res, response);
  const code = error instanceof TRPCError ? error.code : 'INTERNAL_SERVER_ERROR';
  sendJson(res, status, {
    error: {
      message,
      code: TRPC_ERROR_CODES_BY_KEY[code],
      data: { code, errorCode, httpStatus: status, path },
    },
  });
}
