/** Answers what the HTTP parser could not read. Nothing of ours has seen it, so it is written by hand. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '../error-code.ts';
import { type ErrorResponse, errorResponse, sentences } from '../trpc/errors.ts';
import { type SecurityOptions, securityHeaders } from './security.ts';

const faults: Record<string, ErrorResponse> = {
  HPE_HEADER_OVERFLOW: errorResponse(431, sentences.headTooLarge),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorResponse(413, sentences.tooLarge),
  ERR_HTTP_REQUEST_TIMEOUT: errorResponse(408, sentences.tooSlow),
};
const unreadable = errorResponse(400, sentences.unreadable);

/** Makes the listener for a server's `clientError`. */
export function createClientErrorHandler(options: SecurityOptions) {
  const common = Object.entries(securityHeaders(options)).map(
    ([name, value]) => `${name}: ${value}`,
  );

  return function refuseUnreadable(error: Error, socket: Duplex): void {
    // An answer that has begun cannot be followed by another, and one that is owed to a request before
    // this would be taken for it. Node's own listener looks here, too.
    const begun: ServerResponse | undefined = Reflect.get(socket, '_httpMessage') ?? undefined;
    const code = codeOf(error) ?? '';
    if (code === 'ECONNRESET' || !socket.writable || begun?.headersSent || begun?.req.complete) {
      return void socket.destroy();
    }
    const { status, message, code: errorCode } = faults[code] ?? unreadable;
    const body = JSON.stringify({ error: message, code: errorCode });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...common,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}
