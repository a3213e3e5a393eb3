/** For tests: requests as bytes, also those that no well-behaved client can send. */
import { connect } from 'node:net';

export interface WireResponse {
  status: number;
  headers: Headers;
  /** Of everything after the head, as it came. */
  body: string;
  /** All of it; '' when the connection was closed without a response. */
  raw: string;
}

/** Sends the bytes and reads until the server closes, as every request here demands. */
export function sendRaw(origin: string, request: string | Buffer): Promise<WireResponse> {
  const { port, hostname } = new URL(origin);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(port), host: hostname }, () => socket.write(request));
    socket.on('data', (chunk) => void chunks.push(chunk));
    socket.setTimeout(20_000, () => socket.destroy(new Error('The server did not close.')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // What was refused is not always read to its end.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(responseOf(Buffer.concat(chunks).toString())));
  });
}

/** A header that is sent once, or one line for each of several values. */
export type WireHeaders = Record<string, string | string[]>;

/** A request with its head written out; it sets Content-Length and Connection: close. */
export function requestOf(
  method: string,
  path: string,
  headers: WireHeaders = {},
  body = '',
): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const all = { Host: 'localhost', Connection: 'close', ...headers };
  const lines = Object.entries(all).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  return `${[`${method} ${path} HTTP/1.1`, ...lines, ...length].join('\r\n')}\r\n\r\n${body}`;
}

/** The final response, after any `100 Continue`. */
function responseOf(all: string): WireResponse {
  const raw = all.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = raw.indexOf('\r\n\r\n');
  const [first = '', ...lines] = raw.slice(0, Math.max(0, end)).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: raw.slice(end + 4), raw };
}
