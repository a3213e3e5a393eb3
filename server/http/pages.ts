/**
 * Documents and files, served from memory as the build compressed them.
 *
 * Read once at start: no request touches the disk, and a build beside a running server changes
 * nothing for it.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import type { PageName } from '../contract/pages.ts';
import { sentences } from '../errors.ts';
import { sendFault } from './fault.ts';
import { contentPolicy, type Embeds } from './security.ts';

/** Values for the slots of a page, by name. */
export type Slots = Record<string, string>;

export interface Pages {
  /** Answers the address with its document, its file or the not-found page. */
  serve(req: IncomingMessage, res: ServerResponse): void | Promise<void>;
  /** Answers with a document whose `{{slots}}` are filled with escaped values. */
  fill(res: ServerResponse, page: PageName, status: number, slots: Slots): void | Promise<void>;
}

/**
 * Which document stands at which address. Every other address that is no file is not found.
 *
 * @public The development server loads it by path.
 */
export const documents: Readonly<Record<string, PageName>> = {
  '/': 'home',
  '/admin': 'app',
  '/analytics': 'app',
};

type Encoding = 'br' | 'gzip' | 'identity';

interface Entry {
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
  headers: Record<string, string>;
  etag: string;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
};

/** Reads the build in `dist` into memory. */
export function loadPages(dist: string, embeds: Embeds): Pages {
  const files = new Map<string, Entry>();
  const pages = new Map<string, Entry>();
  for (const path of sourceFiles(join(dist, 'client'))) {
    const name = path.slice(join(dist, 'client').length).split(sep).join('/');
    const cache = name.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600';
    files.set(name, readEntry(path, { 'Cache-Control': cache }));
  }
  for (const path of sourceFiles(join(dist, 'pages'))) {
    const name = path.slice(join(dist, 'pages').length + 1).replace(/\.html$/, '');
    const policy = contentPolicy(readFileSync(path, 'utf8'), embeds);
    pages.set(
      name,
      readEntry(path, { 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy }),
    );
  }
  const page = (name: PageName) => {
    const entry = pages.get(name);
    if (!entry) throw new Error(`The build has no page ${name}. Please run npm run build.`);
    return entry;
  };

  return {
    serve(req, res) {
      const pathname = pathOf(req);
      const name = documents[pathname];
      const entry = name ? page(name) : files.get(pathname);
      if (!entry) return send(req, res, 404, page('not-found'));
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        res.setHeader('Allow', 'GET, HEAD');
        return sendFault(res, { status: 405, message: sentences.wrongMethod });
      }
      send(req, res, 200, entry);
    },
    fill(res, name, status, slots) {
      const { bodies, headers } = page(name);
      const body = Buffer.from(fillSlots(bodies.identity.toString('utf8'), slots));
      res
        .writeHead(status, {
          ...headers,
          'Cache-Control': 'no-store',
          'Content-Length': body.length,
        })
        .end(body);
    },
  };
}

/** Puts values, escaped, where the page says `{{name}}`. A slot without a value stays empty. */
export function fillSlots(html: string, slots: Slots): string {
  return html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(slots[name] ?? ''));
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => escapes[c] ?? c);

/** The path of the address, decoded; one that cannot be decoded names nothing. */
export function pathOf(req: IncomingMessage): string {
  const raw = (req.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

function readEntry(path: string, headers: Record<string, string>): Entry {
  const identity = readFileSync(path);
  const optional = (extension: string) => {
    try {
      return readFileSync(path + extension);
    } catch {
      return undefined;
    }
  };
  const br = optional('.br');
  const gzip = optional('.gz');
  return {
    bodies: { identity, ...(br && { br }), ...(gzip && { gzip }) },
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    headers: {
      'Content-Type': types[extname(path)] ?? 'application/octet-stream',
      ...((br || gzip) && { Vary: 'Accept-Encoding' }),
      ...headers,
    },
  };
}

function send(req: IncomingMessage, res: ServerResponse, status: number, entry: Entry): void {
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
function encodingFor(accepted: string | undefined, bodies: Entry['bodies']): Encoding {
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

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/\.(br|gz)$/.test(path));
}
