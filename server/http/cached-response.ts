/** Something served from memory: its bytes as they travel, compressed beforehand. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Bodies {
  identity: Buffer;
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
}

/** One encoding of an entry: all that is sent, worked out beforehand. */
interface Variant {
  body: Buffer;
  etag: string;
  headers: Record<string, string | number>;
}

export type CachedResponse = Partial<Record<keyof Bodies, Variant>> & { identity: Variant };

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

/** Answers with the entry, in the smallest encoding the browser takes; 304 when it has it already. */
export function sendCached(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  entry: CachedResponse,
): void {
  const { body, etag, headers } =
    entry[encodingFor(req.headers['accept-encoding'], entry)] ?? entry.identity;
  const known = req.headers['if-none-match'];
  if (known !== undefined && status === 200 && isAmong(known, etag)) {
    const { 'Content-Length': _, 'Content-Encoding': __, ...rest } = headers;
    return void res.writeHead(304, rest).end();
  }
  res.writeHead(status, headers);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** A proxy may have weakened the tag; the bytes are the same all the same. */
const isAmong = (tags: string, etag: string) =>
  tags.split(/,\s*/).some((tag) => tag.replace(/^W\//, '') === etag);

/** The smallest body the browser accepts; `q=0` means it does not. */
function encodingFor(accepted: string | undefined, entry: CachedResponse): keyof Bodies {
  if (accepted === undefined) return 'identity';
  for (const { encoding, pattern } of compressed) {
    if (!entry[encoding]) continue;
    const match = pattern.exec(accepted);
    if (match && Number(match[1] ?? 1) > 0) return encoding;
  }
  return 'identity';
}

// Each run of spaces belongs to one place of the pattern, or a long one would be tried in every way.
const compressed = (['br', 'gzip'] as const).map((encoding) => ({
  encoding,
  pattern: new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=([\\d.]+)\\s*)?(?:,|$)`, 'i'),
}));
