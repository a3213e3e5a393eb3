/** Answers in JSON, good ones and bad ones. */
import type { ServerResponse } from 'node:http';
import { type ErrorResponse, errorResponse, sentences } from '../trpc/errors.ts';
import { requestIdHeader, requestIdOf } from './request-id.ts';

/** Answers with JSON that nobody may keep. */
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

/** Answers 405 to a method that this path does not take. */
export function sendWrongMethod(res: ServerResponse, allow: string): void {
  res.setHeader('Allow', allow);
  sendErrorResponse(res, errorResponse(405, sentences.wrongMethod));
}

/** Sends an error as the contract shapes it: `{ error, code, issues? }`. */
export function sendErrorResponse(
  res: ServerResponse,
  { status, message, code, issues, retryAfter }: ErrorResponse,
): void {
  if (res.headersSent) return void res.end();
  // A body that is still coming would be taken for the next request.
  if (!res.req.complete) res.setHeader('Connection', 'close');
  if (status >= 500) res.setHeader(requestIdHeader, requestIdOf(res.req));
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  sendJson(res, status, { error: message, code, ...(issues && { issues }) });
}
