/**
 * A load generator small enough not to be the thing measured: raw sockets, requests made beforehand,
 * one under way on each connection.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  port: number;
  connections: number;
  /** How long to keep asking, in milliseconds. */
  duration: number;
  /** The n-th request, as bytes on the wire. */
  request: (n: number) => Buffer;
}

export interface Loaded {
  requests: number;
  /** Answers whose status was not 2xx. */
  refused: number;
}

/** Keeps every connection busy for the duration; resolves once the last answer came. */
export async function load({ port, connections, duration, request }: Load): Promise<Loaded> {
  const result = { requests: 0, refused: 0 };
  const ends = performance.now() + duration;
  let sent = 0;
  const next = () => (performance.now() < ends ? request(sent++) : undefined);
  const answered = (isOk: boolean) => {
    result.requests += 1;
    if (!isOk) result.refused += 1;
  };
  await Promise.all(Array.from({ length: connections }, () => drive(port, next, answered)));
  return result;
}

/** One connection: sends the next request when the answer to the last one is whole. */
function drive(
  port: number,
  next: () => Buffer | undefined,
  answered: (isOk: boolean) => void,
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
      const whole = answerLength(buffered);
      if (whole === undefined || buffered.length < whole) return;
      answered(buffered[9] === 0x32);
      buffered = buffered.subarray(whole);
      send();
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
    destroyLater(socket);
  });
}

/** Bytes of the first answer in the buffer, once its head is there. 204 and 304 have no body. */
function answerLength(buffer: Buffer): number | undefined {
  const head = buffer.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const text = buffer.toString('latin1', 0, head);
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
}

const destroyLater = (socket: Socket) =>
  socket.setTimeout(10_000, () => socket.destroy(new Error('No answer for ten seconds.')));
