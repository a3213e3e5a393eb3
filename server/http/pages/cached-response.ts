/** Responses served from memory, compressed in advance. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Bodies {
  identity: Buffer;
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
}

/** One content encoding of a response: its body and headers, computed in advance. */
interface Variant {
  body: Buffer;
  etag: string;
  headers: Record<string, string | number>;
}

export type CachedResponse = Partial<Record<keyof Bodies, Variant>> & { identity: Variant };

/** Builds a response with an ETag and headers for each given encoding. */
export function cachedResponse(bodies: Bodies, headers: Record<string, string>): CachedResponse {
  const hash = createHash('sha256').update(bodies.identity).digest('base64url').slice(0, 22);
  const isCompressed = bodies.br !== undefined || bodies.gzip !== undefined;
  const variant = (encoding: keyof Bodies, body: Buffer): Variant => {
    const etag = `"${hash}-${encoding}"`;
    return {
      body,
      etag,
      headers: {
        ...headers,
        ...(isCompressed && { Vary: 'Accept-Encoding' }),
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
        'Content-Length': body.length,
        ETag: etag,
      },
    };
  };
  return {
    identity: variant('identity', bodies.identity),
    ...(bodies.br && { br: variant('br', bodies.br) }),
    ...(bodies.gzip && { gzip: variant('gzip', bodies.gzip) }),
  };
}

/** Sends the response in the smallest encoding that the client accepts, or 304 when its ETag matches. */
export function sendCached(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  response: CachedResponse,
): void {
  const { body, etag, headers } =
    response[encodingFor(req.headers['accept-encoding'], response)] ?? response.identity;
  const ifNoneMatch = req.headers['if-none-match'];
  if (ifNoneMatch !== undefined && status === 200 && includesTag(ifNoneMatch, etag)) {
    const { 'Content-Length': _, 'Content-Encoding': __, ...rest } = headers;
    return void res.writeHead(304, rest).end();
  }
  res.writeHead(status, headers);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Ignores the weak prefix `W/`: a proxy may have added it, and the content is the same. */
const includesTag = (tags: string, etag: string) =>
  tags.split(/,\s*/).some((tag) => tag.replace(/^W\//, '') === etag);

/** The smallest encoding that `Accept-Encoding` allows; `q=0` excludes an encoding. */
function encodingFor(
  accepted: string | undefined,
  response: { [Encoding in keyof Bodies]?: unknown },
): keyof Bodies {
  if (accepted === undefined) return 'identity';
  for (const { encoding, pattern } of compressed) {
    if (!response[encoding]) continue;
    const match = pattern.exec(accepted);
    if (match && Number(match[1] ?? 1) > 0) return encoding;
  }
  return 'identity';
}

/** Whether the client accepts a response compressed with Brotli. */
export const acceptsBrotli = (accepted: string | undefined): boolean =>
  encodingFor(accepted, { br: true }) === 'br';

// Each run of spaces matches at one place only, so that long runs cannot cause backtracking (ReDoS).
const compressed = (['br', 'gzip'] as const).map((encoding) => ({
  encoding,
  pattern: new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=([\\d.]+)\\s*)?(?:,|$)`, 'i'),
}));
