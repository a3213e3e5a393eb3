import type { IncomingMessage } from 'node:http';
import { TRPCError } from '@trpc/server';
import { sentences, TooManyRequests } from '../errors.ts';

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

/** Most bytes that all bodies under way may hold together: the process's memory is one. */
const heldLimit = 64 * 1024 * 1024;
let held = 0;

/**
 * The body as it came. Throws PAYLOAD_TOO_LARGE, BAD_REQUEST when it breaks off, or `TooManyRequests`
 * while those of others, who may never finish, fill the memory there is for them.
 */
export function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > bodyLimit) return reject(tooLarge());
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: TRPCError) => {
      req.off('data', read);
      req.pause();
      reject(error);
    };
    const read = (chunk: Buffer) => {
      if (size + chunk.length > bodyLimit) return refuse(tooLarge());
      if (held + chunk.length > heldLimit) return refuse(tooMuch());
      size += chunk.length;
      held += chunk.length;
      chunks.push(chunk);
    };
    req.on('data', read);
    req.on('end', () => {
      const [first, ...more] = chunks;
      resolve(first && more.length === 0 ? first : Buffer.concat(chunks));
    });
    req.on('error', () => reject(malformed()));
    // Told of every request in the end; an error costs its stack.
    req.on('close', () => {
      held -= size;
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
const tooMuch = () => new TooManyRequests(10_000);
const tooLarge = () => new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: sentences.tooLarge });
