/** Responds to requests that the HTTP parser rejects. They have no `ServerResponse`, so the response is raw bytes. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '../errors.ts';
import { type ErrorResponse, errorResponse } from '../trpc/errors.ts';
import { type SecurityOptions, securityHeaders } from './security.ts';

const errorResponses: Record<string, ErrorResponse> = {
  HPE_HEADER_OVERFLOW: errorResponse('HEADERS_TOO_LARGE'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorResponse('PAYLOAD_TOO_LARGE'),
  ERR_HTTP_REQUEST_TIMEOUT: errorResponse('REQUEST_TIMEOUT'),
};
const malformed = errorResponse('MALFORMED_REQUEST');

/** Creates the listener for a server's `clientError` event. */
export function createClientErrorHandler(options: SecurityOptions) {
  const common = Object.entries(securityHeaders(options)).map(
    ([name, value]) => `${name}: ${value}`,
  );

  return function handleClientError(error: Error, socket: Duplex): void {
    // A second response cannot follow one that has started, and a pending earlier request would receive
    // this one as its own. Node's default listener reads `_httpMessage`, too.
    const current: ServerResponse | undefined = Reflect.get(socket, '_httpMessage') ?? undefined;
    const code = codeOf(error) ?? '';
    if (
      code === 'ECONNRESET' ||
      !socket.writable ||
      current?.headersSent ||
      current?.req.complete
    ) {
      return void socket.destroy();
    }
    const { status, message, code: errorCode } = errorResponses[code] ?? malformed;
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
