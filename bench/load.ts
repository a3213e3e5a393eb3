/**
 * A load generator with little overhead of its own: raw sockets, prepared requests, and one request
 * at a time on each connection.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  port: number;
  connections: number;
  /** How long to send requests, in milliseconds. */
  duration: number;
  /** The n-th request, as bytes on the wire. */
  request: (n: number) => Buffer;
}

export interface LoadResult {
  requests: number;
  /** Responses whose status was not 2xx. */
  failed: number;
}

/** Keeps every connection busy for the duration; resolves after the last response. */
export async function load({ port, connections, duration, request }: Load): Promise<LoadResult> {
  const result = { requests: 0, failed: 0 };
  const endsAt = performance.now() + duration;
  let sent = 0;
  const next = () => (performance.now() < endsAt ? request(sent++) : undefined);
  const onResponse = (isOk: boolean) => {
    result.requests += 1;
    if (!isOk) result.failed += 1;
  };
  await Promise.all(
    Array.from({ length: connections }, () => runConnection(port, next, onResponse)),
  );
  return result;
}

/** Sends the next request on a connection when the response to the last one is complete. */
function runConnection(
  port: number,
  next: () => Buffer | undefined,
  onResponse: (isOk: boolean) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let buffered: Buffer = Buffer.alloc(0);
    const send = () => {
      const bytes = next();
      if (bytes) socket.write(bytes);
      else socket.end();
    };
    socket.on('connect', send);
    socket.on('data', (chunk: Buffer) => {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
      const length = responseLength(buffered);
      if (length === undefined || buffered.length < length) return;
      onResponse(buffered[9] === 0x32);
      buffered = buffered.subarray(length);
      send();
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
    failAfterTimeout(socket);
  });
}

/** Bytes of the first response in the buffer, once it is known. 204 has no body. */
function responseLength(buffer: Buffer): number | undefined {
  const head = buffer.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const text = buffer.toString('latin1', 0, head);
  if (/\r\ntransfer-encoding: chunked/i.test(text)) {
    const end = buffer.indexOf('\r\n0\r\n\r\n', head + 4);
    return end < 0 ? undefined : end + 7;
  }
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
}

const failAfterTimeout = (socket: Socket) =>
  socket.setTimeout(10_000, () => socket.destroy(new Error('No response for ten seconds.')));
