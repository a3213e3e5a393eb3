/** Something served from memory: its bytes as they travel, compressed beforehand. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Bodies {
  identity: Buffer;
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
}

export interface Entry {
  bodies: Bodies;
  headers: Record<string, string>;
  etag: string;
}

export function entryOf(bodies: Bodies, headers: Record<string, string>): Entry {
  const isCompressed = bodies.br !== undefined || bodies.gzip !== undefined;
  return {
    bodies,
    etag: createHash('sha256').update(bodies.identity).digest('base64url').slice(0, 22),
    headers: { ...(isCompressed && { Vary: 'Accept-Encoding' }), ...headers },
  };
}

/** Answers with the entry, in the smallest encoding the browser takes; 304 when it has it already. */
export function sendEntry(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  entry: Entry,
): void {
  const encoding = encodingFor(req.headers['accept-encoding'], entry.bodies);
  const body = entry.bodies[encoding] ?? entry.bodies.identity;
  const etag = `"${entry.etag}-${encoding}"`;
  const headers: Record<string, string | number> = { ...entry.headers, ETag: etag };
  // A proxy may have weakened the tag; the bytes are the same all the same.
  const known = req.headers['if-none-match']?.split(/,\s*/).map((tag) => tag.replace(/^W\//, ''));
  if (status === 200 && known?.includes(etag)) {
    return void res.writeHead(304, headers).end();
  }
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  res.writeHead(status, { ...headers, 'Content-Length': body.length });
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** The smallest body the browser accepts; `q=0` means it does not. */
function encodingFor(accepted: string | undefined, bodies: Bodies): keyof Bodies {
  if (accepted === undefined) return 'identity';
  for (const { encoding, pattern } of compressed) {
    if (!bodies[encoding]) continue;
    const match = pattern.exec(accepted);
    if (match && Number(match[1] ?? 1) > 0) return encoding;
  }
  return 'identity';
}

const compressed = (['br', 'gzip'] as const).map((encoding) => ({
  encoding,
  pattern: new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=([\\d.]+))?\\s*(?:,|$)`, 'i'),
}));
