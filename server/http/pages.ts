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
import { type CachedResponse, cachedResponse, sendCached } from './cached-response.ts';
import { compressed } from './compress.ts';
import { sendWrongMethod } from './error-response.ts';
import { createOrigins } from './origins.ts';
import { contentPolicy, type Embeds } from './security.ts';
import { fillTemplate, type TemplateVariables } from './template.ts';

/** What a document says of the moment it is sent in. */
export interface RenderContext {
  /** The site's own origin as the visitor knows it. */
  origin: string;
  /** Names of the calendars that cannot be framed, in a fixed order, with spaces between them. */
  refused: string;
}

export interface Pages {
  /** Answers the address with its document, its file or the not-found page. */
  serve(req: IncomingMessage, res: ServerResponse, scene: RenderContext): void | Promise<void>;
  /** Answers with a document whose `{{slots}}` are filled with escaped values. */
  fill(
    res: ServerResponse,
    page: PageName,
    status: number,
    slots: TemplateVariables,
  ): void | Promise<void>;
  /** Compresses the landing page for these refused calendars, at `origin` and at all origins in use. */
  prepare(refused: string, origin?: string): Promise<void>;
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
  '/analytics/messages': 'app',
  '/robots.txt': 'robots.txt',
  '/sitemap.xml': 'sitemap.xml',
  '/llms.txt': 'llms.txt',
  '/manifest.webmanifest': 'manifest.webmanifest',
};

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
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
  const files = readFiles(join(dist, 'client'));
  const pages = readPages(join(dist, 'pages'), embeds);
  const origins = createOrigins({
    left: (origin) => {
      for (const page of pages.values()) page.forget(origin);
    },
    now: () => performance.now(),
  });
  const page = (name: PageName) => {
    const found = pages.get(name);
    if (!found) throw new Error(`The build has no page ${name}. Please run npm run build.`);
    return found;
  };

  const entry = (name: PageName, scene: RenderContext) => {
    const { kept, passing } = page(name);
    return origins.hasPlace(scene.origin) ? kept(scene) : passing(scene);
  };

  return {
    async prepare(refused, origin) {
      // Takes no place: at the start the origin is this machine's, not the one visitors use.
      const all = [...(origin === undefined ? [] : [origin]), ...origins.all()];
      await Promise.allSettled(all.map((one) => page('home').kept({ origin: one, refused })));
    },
    serve(req, res, scene) {
      const pathname = pathOf(req);
      const name = documents[pathname];
      const file = name ? undefined : files.get(pathname);
      if (!name && !file) return reply(req, res, 404, entry('not-found', scene));
      if (req.method !== 'GET' && req.method !== 'HEAD') return sendWrongMethod(res, 'GET, HEAD');
      return reply(req, res, 200, file ?? entry(name as PageName, scene));
    },
    fill(res, name, status, slots) {
      const { html, headers } = page(name);
      const body = Buffer.from(fillTemplate(html, slots));
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
  entry: CachedResponse | Promise<CachedResponse>,
): void | Promise<void> {
  if (!(entry instanceof Promise)) return sendCached(req, res, status, entry);
  return entry.then((ready) => sendCached(req, res, status, ready));
}

/** The path of the address, decoded; one that cannot be decoded names nothing. */
export function pathOf(req: IncomingMessage): string {
  const { url = '/' } = req;
  // The addresses that are asked for most have nothing to cut off or to decode.
  if (!/[%?#]/.test(url)) return url;
  const raw = url.split(/[?#]/, 1)[0] ?? '/';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** The files that are served by their own address, as the build compressed them. */
function readFiles(folder: string): Map<string, CachedResponse> {
  const files = new Map<string, CachedResponse>();
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
    files.set(
      name,
      cachedResponse(bodies, { 'Content-Type': typeOf(path), 'Cache-Control': cache }),
    );
  }
  return files;
}

interface Page {
  html: string;
  headers: Record<string, string>;
  /** The page as it is sent in a scene. The first time it must be compressed. */
  kept(scene: RenderContext): CachedResponse | Promise<CachedResponse>;
  /** The same for a scene that may never come again: as it is, and kept nowhere. */
  passing(scene: RenderContext): CachedResponse;
  /** Keeps nothing any more of scenes at this origin. */
  forget(origin: string): void;
}

/**
 * What a scene says to the slots of a document.
 *
 * @public The development server loads it by path.
 */
export function templateVariablesOf({ origin, refused }: RenderContext): TemplateVariables {
  const slots: TemplateVariables = { origin };
  for (const name of refused.split(' ').filter(Boolean)) slots[`${name}Unframed`] = 'yes';
  return slots;
}

function readPages(folder: string, embeds: Embeds): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const path of sourceFiles(folder)) {
    const name = path.slice(folder.length + 1).replace(/\.html$/, '');
    const html = readFileSync(path, 'utf8');
    const headers = headersOf(name, html, embeds);
    const variants = new Map<string, Map<string, CachedResponse | Promise<CachedResponse>>>();
    const filled = (scene: RenderContext) =>
      Buffer.from(fillTemplate(html, templateVariablesOf(scene)));
    const compress = async (scene: RenderContext) => {
      const identity = filled(scene);
      return cachedResponse({ identity, ...(await compressed(identity)) }, headers);
    };
    pages.set(name, {
      html,
      headers,
      kept(scene) {
        const { origin, refused } = scene;
        const ready = variants.get(origin)?.get(refused);
        if (ready !== undefined) return ready;
        const ofOrigin = variants.get(origin) ?? new Map();
        variants.set(origin, ofOrigin);
        const coming = compress(scene);
        ofOrigin.set(refused, coming);
        coming.then(
          (entry) => ofOrigin.set(refused, entry),
          () => ofOrigin.delete(refused),
        );
        return coming;
      },
      passing: (scene) => cachedResponse({ identity: filled(scene) }, headers),
      forget: (origin) => void variants.delete(origin),
    });
  }
  return pages;
}

function headersOf(name: string, text: string, embeds: Embeds): Record<string, string> {
  const headers = { 'Content-Type': documentType(name) };
  if (name.includes('.')) return { ...headers, 'Cache-Control': 'public, max-age=3600' };
  return {
    ...headers,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': contentPolicy(text, embeds),
    // For crawlers that read no HTML; the page itself is where it is decided.
    ...(text.includes('<meta name="robots" content="noindex"') && { 'X-Robots-Tag': 'noindex' }),
  };
}

/**
 * The type of a document by its name: those for machines say it by their ending.
 *
 * @public The development server loads it by path.
 */
export const documentType = (name: string) => typeOf(name.includes('.') ? name : `${name}.html`);

const typeOf = (path: string) => types[extname(path)] ?? 'application/octet-stream';

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Every file below `folder`, but for the hidden ones and those that the build has compressed. */
function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/\.(br|gz)$|[\\/]\.[^\\/]*$/.test(path));
}
