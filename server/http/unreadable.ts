/** Answers what the HTTP parser could not read. Nothing of ours has seen it, so it is written by hand. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '../error-code.ts';
import { sentences } from '../errors.ts';
import { type SecurityOptions, securityHeaders } from './security.ts';

interface Refusal {
  status: number;
  sentence: string;
}

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, sentence: sentences.headTooLarge },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, sentence: sentences.tooLarge },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: sentences.tooSlow },
};
const unreadable: Refusal = { status: 400, sentence: sentences.unreadable };

/** Makes the listener for a server's `clientError`. */
export function createUnreadableDoor(options: SecurityOptions) {
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
    const { status, sentence } = refusals[code] ?? unreadable;
    const body = JSON.stringify({ error: sentence });
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
