/** The tRPC adapter: the same router for tRPC clients, at /api/trpc. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { ApiError, errorResponseOf } from '../trpc/errors.ts';
import { appRouter } from '../trpc/router.ts';
import type { AdapterOptions } from './handler.ts';
import { type BodyReader, bodyLimitOf, hasBody, mediaType } from './request/body.ts';
import { drain } from './request/drain.ts';
import { requestIdHeader, requestIdOf } from './request/request-id.ts';
import { pathOf } from './request/url.ts';
import { sendJson } from './response.ts';

export const trpcPath = '/api/trpc/';

/** Maximum calls in one HTTP request (batch). */
const batchLimit = 8;

interface TrpcAdapterOptions extends AdapterOptions {
  /** Counts a rejected sign-in. */
  countRejectedSignIn: () => void;
}

/** Creates the handler of all paths below `trpcPath`. */
export function createTrpcAdapter({
  createContext,
  body,
  report,
  countRejectedSignIn,
}: TrpcAdapterOptions) {
  return async function handleTrpc(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = pathOf(req).slice(trpcPath.length);
    // A streamed response would be sent before a procedure can set its cookie or its status.
    delete req.headers['trpc-accept'];
    const ctx = createContext(req, res);
    let maxBodySize: number;
    try {
      maxBodySize = await bodyLimitOf(path.split(','), ctx);
      Object.assign(req, { body: await checkedBody(req, res, { path, body, maxBodySize }) });
    } catch (error) {
      await drain(req);
      return sendTrpcError(res, path, error);
    }
    await nodeHTTPRequestHandler({
      req,
      res,
      path,
      router: appRouter,
      createContext: () => ctx,
      maxBodySize,
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
        // Queries take GET and mutations POST; `checkedBody` has rejected all other methods.
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
async function checkedBody(
  req: IncomingMessage,
  res: ServerResponse,
  { path, body, maxBodySize }: { path: string; body: BodyReader; maxBodySize: number },
): Promise<string | undefined> {
  if (path.includes('%')) throw new ApiError('NOT_FOUND');
  if (req.method !== 'GET' && req.method !== 'POST') {
    res.setHeader('Allow', 'GET, POST');
    throw new ApiError('METHOD_NOT_ALLOWED');
  }
  if (path.split(',').length > batchLimit) {
    throw new ApiError('BATCH_TOO_LARGE');
  }
  if (req.method === 'GET' || !hasBody(req)) return undefined;
  if (mediaType(req) !== 'application/json') throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return body.text(req, maxBodySize);
}

/** Sends the error in tRPC's envelope. */
function sendTrpcError(res: ServerResponse, path: string, error: unknown): void {
  const { status, message, code: errorCode } = errorResponseOf(error);
  const code = error instanceof TRPCError ? error.code : 'INTERNAL_SERVER_ERROR';
  if (!res.req.complete) res.setHeader('Connection', 'close');
  sendJson(res, status, {
    error: {
      message,
      code: TRPC_ERROR_CODES_BY_KEY[code],
      data: { code, errorCode, httpStatus: status, path },
    },
  });
}
