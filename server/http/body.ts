import type { IncomingMessage } from 'node:http';
import { TRPCError } from '@trpc/server';
import { sentences } from '../errors.ts';

/** Most bytes a request may carry. */
export const bodyLimit = 256 * 1024;

/** Whether the request carries anything. A POST without a body says `Content-Length: 0`. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The media type without its parameters, in lower case. */
export function mediaType(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The body as text. Throws PAYLOAD_TOO_LARGE, or BAD_REQUEST when it is not UTF-8 or breaks off. */
export async function readText(req: IncomingMessage): Promise<string> {
  const bytes = await readBytes(req);
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body as it came. Throws PAYLOAD_TOO_LARGE, or BAD_REQUEST when it breaks off. */
export function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > bodyLimit) return reject(tooLarge());
    const chunks: Buffer[] = [];
    let size = 0;
    const read = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) return void chunks.push(chunk);
      req.off('data', read);
      req.pause();
      reject(tooLarge());
    };
    req.on('data', read);
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', () => reject(malformed()));
    // Told of every request in the end; an error costs its stack.
    req.on('close', () => {
      if (!req.complete) reject(malformed());
    });
  });
}

/** The body as JSON. Throws as `readText` does, and BAD_REQUEST when it is not JSON. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  const text = await readText(req);
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

/** How much of a refused body is read, in bytes and milliseconds, so that the answer arrives. */
const drainLimit = 16 * 1024 * 1024;
const drainTime = 5000;

/**
 * Reads what is left of a body that nobody wants. Answering before would break the connection off in
 * the middle of the visitor's sending, and they would never see the answer.
 */
export function drain(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let size = 0;
    const timer = setTimeout(giveUp, drainTime);
    function giveUp() {
      req.pause();
      done();
    }
    function done() {
      clearTimeout(timer);
      req.off('data', count);
      resolve();
    }
    function count(chunk: Buffer) {
      size += chunk.length;
      if (size > drainLimit) giveUp();
    }
    req.on('data', count);
    for (const end of ['end', 'error', 'close'] as const) req.once(end, done);
    req.resume();
  });
}

const malformed = () => new TRPCError({ code: 'BAD_REQUEST', message: sentences.malformedJson });
const tooLarge = () => new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: sentences.tooLarge });
