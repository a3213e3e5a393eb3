import type { IncomingMessage } from 'node:http';
import { TRPCError } from '@trpc/server';
import type { Log } from '../log.ts';
import { networkOf } from '../rate-limit/network.ts';
import { sentences, TooManyRequests } from '../trpc/errors.ts';
import { onceAMinute } from './once-a-minute.ts';

/** Most bytes of a request's body, unless the call has a limit of its own. */
export const bodyLimit = 256 * 1024;

/** Most bytes of a contact message: 100,000 characters take up to nine each, such as `%E4%BF%A1`. */
export const messageLimit = 1024 * 1024;

/** Most bytes of the body of a call. */
export function bodyLimitOf(procedure: string): number {
  return procedure === 'contact.submit' ? messageLimit : bodyLimit;
}

/** Whether the request carries anything. A POST without a body says `Content-Length: 0`. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The media type without its parameters, in lower case. */
export function mediaType(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Most bytes that all bodies under way may hold together: the process's memory is one. */
const heldLimit = 64 * 1024 * 1024;

/** Most of them that the bodies of one address block may hold. */
const addressShare = 4 * 1024 * 1024;

/** Most of them that the bodies of one IPv6 /48 network may hold. */
const networkShare = 16 * 1024 * 1024;

/** Bytes that a chunk takes beside its content: sent byte by byte, a body is mostly these. */
const chunkOverhead = 256;

/** A body of which a part has arrived. */
interface PartialBody {
  address: string;
  network: string;
  chunks: Buffer[];
  /** What counts against the limits: bytes and overhead. */
  held: number;
  refuse(error: TRPCError): void;
}

/** How a request's body is read. Each throws PAYLOAD_TOO_LARGE, or BAD_REQUEST when it breaks off. */
export interface BodyReader {
  /** The body as it came. */
  bytes(req: IncomingMessage): Promise<Buffer>;
  /** The body as text, of at most `limit` bytes. Throws BAD_REQUEST when it is not UTF-8. */
  text(req: IncomingMessage, limit?: number): Promise<string>;
  /** The body as JSON, of at most `limit` bytes. Throws BAD_REQUEST when it is not JSON. */
  json(req: IncomingMessage, limit?: number): Promise<unknown>;
}

/**
 * Reads bodies within a memory limit. An address block or network beyond its share loses its oldest
 * unfinished body to `TooManyRequests`; beyond the limit, the network that holds the most does.
 */
export function createBodyReader({
  addressOf,
  log,
}: {
  /** The address block a request counts for. */
  addressOf: (req: IncomingMessage) => string;
  log: Log;
}): BodyReader {
  /** The oldest first. */
  const unfinished = new Set<PartialBody>();
  const heldByAddress = new Map<string, number>();
  const heldByNetwork = new Map<string, number>();
  let held = 0;
  const warn = onceAMinute(() =>
    log.warn({ heldBytes: held }, 'too many unfinished request bodies: the oldest are refused'),
  );

  const count = (body: PartialBody, bytes: number) => {
    increase(heldByAddress, body.address, bytes);
    increase(heldByNetwork, body.network, bytes);
    body.held += bytes;
    held += bytes;
  };

  const refuseOldest = (isEligible: (body: PartialBody) => boolean) => {
    warn();
    for (const body of unfinished) if (isEligible(body)) return body.refuse(tooMuch());
  };

  const add = (body: PartialBody, chunk: Buffer) => {
    unfinished.add(body);
    body.chunks.push(chunk);
    count(body, chunk.length + chunkOverhead);
    const { address, network } = body;
    while ((heldByAddress.get(address) ?? 0) > addressShare) {
      refuseOldest((other) => other.address === address);
    }
    while ((heldByNetwork.get(network) ?? 0) > networkShare) {
      refuseOldest((other) => other.network === network);
    }
    while (held > heldLimit) {
      const largest = keyOfMost(heldByNetwork);
      refuseOldest((other) => other.network === largest);
    }
  };

  const release = (body: PartialBody) => {
    unfinished.delete(body);
    body.chunks = [];
    count(body, -body.held);
  };

  const bytes = (req: IncomingMessage, limit = bodyLimit) =>
    new Promise<Buffer>((resolve, reject) => {
      if (Number(req.headers['content-length'] ?? 0) > limit) return reject(tooLarge());
      let size = 0;
      const address = addressOf(req);
      const body: PartialBody = {
        address,
        network: networkOf(address),
        chunks: [],
        held: 0,
        refuse(error) {
          req.off('data', read);
          req.pause();
          release(body);
          reject(error);
        },
      };
      const read = (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) return body.refuse(tooLarge());
        add(body, chunk);
      };
      req.on('data', read);
      req.on('end', () => {
        const [first, ...more] = body.chunks;
        resolve(first && more.length === 0 ? first : Buffer.concat(body.chunks));
        release(body);
      });
      req.on('error', () => reject(malformed()));
      // Emitted for every request in the end; an error costs its stack.
      req.on('close', () => {
        release(body);
        if (!req.complete) reject(malformed());
      });
    });

  const text = async (req: IncomingMessage, limit?: number) => {
    const source = await bytes(req, limit);
    try {
      return utf8.decode(source);
    } catch {
      throw malformed();
    }
  };

  return {
    bytes,
    text,
    async json(req, limit) {
      const source = await text(req, limit);
      try {
        return JSON.parse(source);
      } catch {
        throw malformed();
      }
    },
  };
}

/** Adds to the sum of a key. A key whose sum is 0 is removed. */
function increase(sums: Map<string, number>, key: string, by: number): void {
  const sum = (sums.get(key) ?? 0) + by;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

/** The key with the largest sum. */
function keyOfMost(sums: Map<string, number>): string | undefined {
  let most: [key: string, sum: number] | undefined;
  for (const entry of sums) if (most === undefined || entry[1] > most[1]) most = entry;
  return most?.[0];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

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
