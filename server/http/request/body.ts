import type { IncomingMessage } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { fileBodyLimit } from '../../contract/file-text.ts';
import type { Log } from '../../log.ts';
import { networkOf } from '../../rate-limit/network.ts';
import type { Context } from '../../trpc/context.ts';
import { ApiError } from '../../trpc/errors.ts';
import { requireAccess } from '../../trpc/trpc.ts';
import { throttle } from '../throttle.ts';

/** Default maximum size of a request body, in bytes. */
export const bodyLimit = 256 * 1024;

/** Maximum size of a contact message in bytes. A character takes up to nine in a form post, such as `%E4%BF%A1`. */
export const messageLimit = 1024 * 1024;

/** A map, because the path of a request can also be the name of a property of every object. */
const limits = new Map([
  ['contact.submit', messageLimit],
  ['analytics.previewImport', fileBodyLimit],
  ['analytics.importSales', fileBodyLimit],
]);

/**
 * The maximum body size of a request to these procedures, in bytes. Rejects a file that the admin
 * does not send, so that no stranger can fill the memory with one.
 */
export async function bodyLimitOf(procedures: readonly string[], ctx: Context): Promise<number> {
  const limit = Math.max(...procedures.map((procedure) => limits.get(procedure) ?? bodyLimit));
  if (limit === fileBodyLimit) await requireAccess(ctx, { session: true });
  return limit;
}

/** Whether the request has a body. A POST without one sends `Content-Length: 0`. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The media type without its parameters, in lower case. */
export function mediaType(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Maximum total size of all unfinished bodies in bytes, because they share the memory of the process. */
const heldLimit = 64 * 1024 * 1024;

/** The share of `heldLimit` for one address block, in bytes. */
const addressShare = 4 * 1024 * 1024;

/** The share of `heldLimit` for one IPv6 /48 network, in bytes. */
const networkShare = 16 * 1024 * 1024;

/** The share of `heldLimit` for files, each with a limit of its own above the other shares, in bytes. */
const fileShare = 32 * 1024 * 1024;

/** Memory overhead of a chunk in bytes. It dominates when a client sends a body byte by byte. */
const chunkOverhead = 256;

/** A body that has arrived in part. */
interface PartialBody {
  address: string;
  network: string;
  shares: { address: number; network: number };
  chunks: Buffer[];
  /** Bytes and overhead, as counted against the limits. */
  held: number;
  reject(error: ApiError): void;
}

/** Reads request bodies. Each method throws PAYLOAD_TOO_LARGE, or BAD_REQUEST when the body is incomplete. */
export interface BodyReader {
  /** The raw bytes of the body. */
  bytes(req: IncomingMessage): Promise<Buffer>;
  /** The body as text, of at most `limit` bytes. Throws BAD_REQUEST when it is not UTF-8. */
  text(req: IncomingMessage, limit?: number): Promise<string>;
  /** The body as JSON, of at most `limit` bytes. Throws BAD_REQUEST when it is not JSON. */
  json(req: IncomingMessage, limit?: number): Promise<unknown>;
}

/**
 * Creates a reader that limits the memory of unfinished bodies. Above a limit it rejects the oldest body
 * of the address block, of the network, or of the largest network with `RATE_LIMITED`.
 */
export function createBodyReader({
  addressOf,
  log,
}: {
  /** The address block that a request is counted under. */
  addressOf: (req: IncomingMessage) => string;
  log: Log;
}): BodyReader {
  /** Oldest first. */
  const unfinished = new Set<PartialBody>();
  const heldByAddress = new Map<string, number>();
  const heldByNetwork = new Map<string, number>();
  let held = 0;
  const warn = throttle(() =>
    log.warn({ heldBytes: held }, 'request bodies: too many are unfinished, rejecting the oldest'),
  );

  const count = (body: PartialBody, bytes: number) => {
    increase(heldByAddress, body.address, bytes);
    increase(heldByNetwork, body.network, bytes);
    body.held += bytes;
    held += bytes;
  };

  const rejectOldest = (isEligible: (body: PartialBody) => boolean) => {
    warn();
    for (const body of unfinished) if (isEligible(body)) return body.reject(tooManyBytes());
  };

  const add = (body: PartialBody, chunk: Buffer) => {
    unfinished.add(body);
    body.chunks.push(chunk);
    count(body, chunk.length + chunkOverhead);
    const { address, network, shares } = body;
    while ((heldByAddress.get(address) ?? 0) > shares.address) {
      rejectOldest((other) => other.address === address);
    }
    while ((heldByNetwork.get(network) ?? 0) > shares.network) {
      rejectOldest((other) => other.network === network);
    }
    while (held > heldLimit) {
      const largest = keyOfLargest(heldByNetwork);
      rejectOldest((other) => other.network === largest);
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
      if (req.destroyed && !req.complete) return reject(malformed());
      let size = 0;
      const address = addressOf(req);
      // Files do not count with other bodies of the address, so that neither displaces the other.
      const isFile = limit === fileBodyLimit;
      const body: PartialBody = {
        address: isFile ? `file ${address}` : address,
        network: isFile ? 'file' : networkOf(address),
        shares: isFile
          ? { address: fileShare, network: fileShare }
          : { address: addressShare, network: networkShare },
        chunks: [],
        held: 0,
        reject(error) {
          req.off('data', read);
          req.pause();
          release(body);
          reject(error);
        },
      };
      const read = (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) return body.reject(tooLarge());
        add(body, chunk);
      };
      req.on('data', read);
      req.on('end', () => {
        const [first, ...more] = body.chunks;
        resolve(first && more.length === 0 ? first : Buffer.concat(body.chunks));
        release(body);
      });
      req.on('error', () => reject(malformed()));
      // `close` is emitted for every request, so create the error (and its stack) only when it is needed.
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
      // Decoding and parsing a file each take a while.
      if (source.length > messageLimit) await yieldToEventLoop();
      try {
        return JSON.parse(source);
      } catch {
        throw malformed();
      }
    },
  };
}

/** Adds to the sum of a key, and deletes a key whose sum becomes 0. */
function increase(sums: Map<string, number>, key: string, by: number): void {
  const sum = (sums.get(key) ?? 0) + by;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

/** The key with the largest sum. */
function keyOfLargest(sums: Map<string, number>): string | undefined {
  let largest: [key: string, sum: number] | undefined;
  for (const entry of sums) if (largest === undefined || entry[1] > largest[1]) largest = entry;
  return largest?.[0];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const malformed = () => new ApiError('MALFORMED_JSON');
const tooManyBytes = () => new ApiError('RATE_LIMITED', { wait: 10_000 });
const tooLarge = () => new ApiError('PAYLOAD_TOO_LARGE');
