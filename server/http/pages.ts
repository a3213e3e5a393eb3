/**
 * Documents and files, served from memory, compressed before anybody asks.
 *
 * Read once at start: no request touches the disk, and a build beside a running server changes
 * nothing for it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import type { PageName } from '../contract/pages.ts';
import { sentences } from '../errors.ts';
import { compressed } from './compress.ts';
import { type Entry, entryOf, sendEntry } from './entry.ts';
import { sendFault } from './fault.ts';
import { contentPolicy, type Embeds } from './security.ts';
import { fillSlots, type Slots } from './slots.ts';

/** What a document says of the moment it is sent in. */
export interface Scene {
  /** The site's own origin as the visitor knows it; without one no address is called the right one. */
  origin: string | undefined;
}

export interface Pages {
  /** Answers the address with its document, its file or the not-found page. */
  serve(req: IncomingMessage, res: ServerResponse, scene: Scene): void | Promise<void>;
  /** Answers with a document whose `{{slots}}` are filled with escaped values. */
  fill(res: ServerResponse, page: PageName, status: number, slots: Slots): void | Promise<void>;
}

/** Pages made ready before the first visitor asks. */
export interface LoadedPages extends Pages {
  /** Compresses the landing page for a scene, in the background. */
  prepare(scene: Scene): void;
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
export function loadPages(dist: string, embeds: Embeds): LoadedPages {
  const files = readFiles(join(dist, 'client'));
  const pages = readPages(join(dist, 'pages'), embeds);
  const page = (name: PageName) => {
    const found = pages.get(name);
    if (!found) throw new Error(`The build has no page ${name}. Please run npm run build.`);
    return found;
  };

  return {
    prepare: (scene) => void page('home').entry(scene),
    serve(req, res, scene) {
      const pathname = pathOf(req);
      const name = documents[pathname];
      const file = name ? undefined : files.get(pathname);
      if (!name && !file) return reply(req, res, 404, page('not-found').entry(scene));
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        res.setHeader('Allow', 'GET, HEAD');
        return sendFault(res, { status: 405, message: sentences.wrongMethod });
      }
      return reply(req, res, 200, file ?? page(name as PageName).entry(scene));
    },
    fill(res, name, status, slots) {
      const { html, headers } = page(name);
      const body = Buffer.from(fillSlots(html, slots));
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

function reply(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  entry: Entry | Promise<Entry>,
): void | Promise<void> {
  if (!(entry instanceof Promise)) return sendEntry(req, res, status, entry);
  return entry.then((ready) => sendEntry(req, res, status, ready));
}

/** The path of the address, decoded; one that cannot be decoded names nothing. */
export function pathOf(req: IncomingMessage): string {
  const raw = (req.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** The files that are served by their own address, as the build compressed them. */
function readFiles(folder: string): Map<string, Entry> {
  const files = new Map<string, Entry>();
  for (const path of sourceFiles(folder)) {
    const name = path.slice(folder.length).split(sep).join('/');
    const cache = name.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600';
    const bodies = {
      identity: readFileSync(path),
      br: readIfThere(`${path}.br`),
      gzip: readIfThere(`${path}.gz`),
    };
    files.set(name, entryOf(bodies, { 'Content-Type': typeOf(path), 'Cache-Control': cache }));
  }
  return files;
}

interface Page {
  html: string;
  headers: Record<string, string>;
  /** The page as it is sent in a scene. The first time it must be compressed. */
  entry(scene: Scene): Entry | Promise<Entry>;
}

/** Origins a page is kept ready for. A visitor who makes up more of them gets it without its own. */
const originLimit = 8;

function readPages(folder: string, embeds: Embeds): Map<string, Page> {
  const origins = new Set<string>();
  const isKnown = (origin: string) =>
    origins.has(origin) || (origins.size < originLimit && Boolean(origins.add(origin)));

  const pages = new Map<string, Page>();
  for (const path of sourceFiles(folder)) {
    const name = path.slice(folder.length + 1).replace(/\.html$/, '');
    const html = readFileSync(path, 'utf8');
    const headers = {
      'Content-Type': typeOf(path),
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentPolicy(html, embeds),
    };
    const variants = new Map<string, Entry | Promise<Entry>>();
    const compress = async (slots: Slots) => {
      const identity = Buffer.from(fillSlots(html, slots));
      return entryOf({ identity, ...(await compressed(identity)) }, headers);
    };
    pages.set(name, {
      html,
      headers,
      entry({ origin }) {
        const known = origin !== undefined && isKnown(origin) ? origin : undefined;
        const key = known ?? '';
        const ready = variants.get(key);
        if (ready) return ready;
        const coming = compress({ origin: known });
        variants.set(key, coming);
        coming.then(
          (entry) => variants.set(key, entry),
          () => variants.delete(key),
        );
        return coming;
      },
    });
  }
  return pages;
}

const typeOf = (path: string) => types[extname(path)] ?? 'application/octet-stream';

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/\.(br|gz)$/.test(path));
}
