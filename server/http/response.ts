/** JSON responses, for results and for errors, and redirects. */
import type { ServerResponse } from 'node:http';
import { type ErrorResponse, errorResponse } from '../trpc/errors.ts';
import { requestIdHeader, requestIdOf } from './request/request-id.ts';

/** Sends a JSON response that no cache may store. */
export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  res
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
    })
    .end(body);
}

/** Sends a redirect. Without `no-store` browsers keep a 308 indefinitely, and addresses change. */
export function sendRedirect(res: ServerResponse, status: 302 | 303 | 308, location: string): void {
  res
    .writeHead(status, { Location: location, 'Content-Length': 0, 'Cache-Control': 'no-store' })
    .end();
}

/** Sends a 405 response whose `Allow` header is `allow`. */
export function sendWrongMethod(res: ServerResponse, allow: string): void {
  res.setHeader('Allow', allow);
  sendErrorResponse(res, errorResponse('METHOD_NOT_ALLOWED'));
}

/** Sets the headers that every error has in common. */
export function setErrorHeaders(
  res: ServerResponse,
  { status, retryAfter }: Pick<ErrorResponse, 'status' | 'retryAfter'>,
): void {
  if (status >= 500) res.setHeader(requestIdHeader, requestIdOf(res.req));
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
}

/** Sends an error in the shape of the API: `{ error, code, issues?, nearest? }`. */
export function sendErrorResponse(res: ServerResponse, error: ErrorResponse): void {
  if (res.headersSent) return void res.end();
  const { status, message, code, issues, nearest } = error;
  setErrorHeaders(res, error);
  sendJson(res, status, {
    error: message,
    code,
    ...(issues && { issues }),
    ...(nearest && { nearest }),
  });
}
