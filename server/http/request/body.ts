import express, { type Request, type Response } from 'express';
import { fileBodyLimit } from '../../contract/file-text.ts';
import { photoLimit } from '../../contract/photos.ts';
import type { Log } from '../../log.ts';
import { ApiError, type ErrorCode } from '../../trpc/errors.ts';
import { throttle } from '../throttle.ts';

/** Default maximum size of a request body, in bytes. */
export const bodyLimit = 256 * 1024;

/** Maximum size of a contact message in bytes. A character takes up to nine in a form post, such as `%E4%BF%A1`. */
export const messageLimit = 1024 * 1024;

/** A map, because the path of a request can also be the name of a property of every object. */
const limits = new Map([
  ['contact.submit', messageLimit],
  // A patch holds its text twice: as it was, and as it shall be.
  ['site.save', fileBodyLimit],
  ['analytics.previewImport', fileBodyLimit],
  ['analytics.importSales', fileBodyLimit],
]);

/** The maximum body size of a request to these procedures, in bytes. */
export const bodyLimitOf = (procedures: readonly string[]) =>
  Math.max(...procedures.map((procedure) => limits.get(procedure) ?? bodyLimit));

/** Maximum depth of JSON. The calls take four levels, and a parser needs memory for each. */
const maxDepth = 32;

/** Maximum memory of the unfinished bodies of one network, in bytes. Files, which only the admin sends, do not count. */
const networkShare = 4 * 1024 * 1024;

/** Memory overhead of a chunk in bytes. It dominates when a client sends a body byte by byte. */
const chunkOverhead = 256;

/** Whether the request has a body. A POST without one sends `Content-Length: 0`. */
function hasBody(req: Request): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a body that is not JSON. */
export function requireJson(req: Request): void {
  if (hasBody(req) && !req.is('application/json')) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
}

/**
 * Reads bodies with Express’s parser of raw ones. Each method throws PAYLOAD_TOO_LARGE above the limit in bytes, UPLOAD_TOO_LARGE above that of a file, and
 * MALFORMED_JSON when the body is incomplete; all but `bytes` also when it is not UTF-8.
 */
export type BodyReader = ReturnType<typeof createBodyReader>;

/** Creates a reader that rejects a body with RATE_LIMITED when its network holds too many unfinished ones. */
export function createBodyReader({
  networkOf,
  log,
}: {
  /** The network that a request is counted under. */
  networkOf: (req: Request) => string;
  log: Log;
}) {
  const heldBy = new Map<string, number>();
  const warn = throttle(() =>
    log.warn('request bodies: one network sends too many at once, rejecting the newest'),
  );

  /** Counts the body in the memory of its network; calls `onFull` when that is used up. */
  const limitMemory = (req: Request, limit: number, onFull: () => void) => {
    const network = networkOf(req);
    let size = 0;
    let held = 0;
    const count = (bytes: number) => {
      held += bytes;
      const sum = (heldBy.get(network) ?? 0) + bytes;
      if (sum === 0) heldBy.delete(network);
      else heldBy.set(network, sum);
      return sum;
    };
    const add = (chunk: Buffer) => {
      size += chunk.length;
      const isFull = count(chunk.length + chunkOverhead) > networkShare;
      if (!isFull && size <= limit) return;
      // Express only discards what comes above its limit.
      req.off('data', add);
      count(-held);
      if (isFull) onFull();
    };
    req.on('data', add);
    req.once('close', () => count(-held));
  };

  /** Undefined without a body. */
  const read = ({ req, res, limit }: ReadOptions) =>
    new Promise<Buffer | undefined>((resolve, reject) => {
      // Express would read all of it before it rejects it.
      if (Number(req.headers['content-length']) > limit) {
        return reject(tooLarge(limit));
      }
      const refuse = () => {
        warn();
        req.pause();
        // Ends the connection after the response, which frees what the parser holds.
        res.setHeader('Connection', 'close');
        reject(new ApiError('RATE_LIMITED', { wait: 10_000 }));
      };
      if (!fileErrors.has(limit)) limitMemory(req, limit, refuse);
      // Its other parsers decode by the charset that the request names, which says nothing about JSON (RFC 8259, section 8.1).
      express.raw({ type: () => true, limit, inflate: false })(req, res, (error) => {
        if (error !== undefined) return reject(apiErrorOf(error, limit));
        // Express passes on the request of a client that is gone.
        if (req.body === undefined && hasBody(req)) return reject(new ApiError('MALFORMED_JSON'));
        resolve(req.body);
      });
    });

  const jsonText = async (req: Request, res: Response, limit: number) => {
    const body = await read({ req, res, limit });
    if (body === undefined || body.length === 0) return undefined;
    const text = textOf(body);
    requireShallow(body);
    return text;
  };

  return {
    /** The bytes of the body. */
    bytes: async (req: Request, res: Response, limit = bodyLimit) =>
      (await read({ req, res, limit })) ?? Buffer.alloc(0),
    /** The fields of an HTML form. */
    form: async (req: Request, res: Response, limit: number) =>
      new URLSearchParams(textOf((await read({ req, res, limit })) ?? Buffer.alloc(0))),
    /** The body as JSON; undefined without one. */
    json: async (req: Request, res: Response, limit: number): Promise<unknown> => {
      const text = await jsonText(req, res, limit);
      try {
        return text === undefined ? undefined : JSON.parse(text);
      } catch {
        throw new ApiError('MALFORMED_JSON');
      }
    },
    /** The body as the text of JSON, which the caller parses; undefined without one. */
    jsonText,
  };
}

interface ReadOptions {
  req: Request;
  res: Response;
  limit: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body; throws MALFORMED_JSON when it is not UTF-8. */
function textOf(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new ApiError('MALFORMED_JSON');
  }
}

/** Throws MALFORMED_JSON when brackets outside strings nest deeper than `maxDepth`, before they are parsed. */
function requireShallow(body: Buffer): void {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < body.length; i++) {
    const char = body[i];
    if (char === quote) isText = !isText;
    else if (isText) i += char === backslash ? 1 : 0;
    else if (char === openBracket || char === openBrace) depth += 1;
    else if (char === closeBracket || char === closeBrace) depth -= 1;
    if (depth > maxDepth) throw new ApiError('MALFORMED_JSON');
  }
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');

/** The errors above the limits of files, which only the admin sends. */
const fileErrors = new Map<number, ErrorCode>([
  [fileBodyLimit, 'UPLOAD_TOO_LARGE'],
  [photoLimit, 'PHOTO_TOO_LARGE'],
]);

/** The sentence of visitors speaks of their message. */
const tooLarge = (limit: number) => new ApiError(fileErrors.get(limit) ?? 'PAYLOAD_TOO_LARGE');

/** The public error for an error of Express's parsers. */
function apiErrorOf(error: unknown, limit: number): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return tooLarge(limit);
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return status === 400 ? new ApiError('MALFORMED_JSON') : error;
}
