/**
 * Documents and static files, served compressed from memory.
 *
 * The build is read once at start, so no request reads the disk and a new build does not affect a running
 * server. Each config has documents of its own; the files are shared.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import type { PageVariables, RenderedSite } from '../../contract/pages.ts';
import { pathOf } from '../request/url.ts';
import { sendWrongMethod } from '../response.ts';
import { contentPolicy, type Embeds, readInline } from '../security.ts';
import {
  acceptsBrotli,
  type CachedResponse,
  cachedResponse,
  sendCached,
} from './cached-response.ts';
import { compressed, compressedFast } from './compress.ts';
import {
  documentAt,
  documentType,
  type PageName,
  type RenderContext,
  templateVariablesOf,
  typeOf,
} from './documents.ts';
import { createOrigins } from './origins.ts';
import { fillTemplate, type TemplateVariables } from './template.ts';

export interface Pages {
  /** Whether there is a document or file at this path. */
  has(path: string): boolean;
  /** Serves the document or file at the request's path, or the not-found page. */
  serve(req: IncomingMessage, res: ServerResponse, context: RenderContext): void | Promise<void>;
  /** Serves a page with these template variables, which it escapes, and those of the settings. */
  fill<Name extends keyof PageVariables>(
    res: ServerResponse,
    page: Name,
    status: number,
    variables: PageVariables[Name],
  ): void | Promise<void>;
  /** Compresses the landing page for `origin`. */
  prepare(origin: string): Promise<void>;
  /** The origins whose documents are cached. */
  cachedOrigins(): string[];
  /** That pictures cannot be drawn, as a sentence for the owner. */
  alert(): string | undefined;
}

/** The documents of a site by name, its static files by path, and the pictures that it has in place of some. */
export interface PageContents {
  documents: Map<string, string>;
  files: Map<string, CachedResponse>;
  pictures?: SitePictures;
}

export interface SitePictures {
  /** Returns what loads the picture at this path; undefined when the static files have it, or there is none. */
  find(path: string): (() => Promise<CachedResponse | undefined>) | undefined;
  alert: Pages['alert'];
}

/** Reads the build in `dist` into memory. */
export const readBuild = (dist: string): PageContents => ({
  documents: readDocuments(join(dist, 'pages')),
  files: readFiles(join(dist, 'client')),
});

/**
 * Returns the documents of a rendered site beside the files of the build, and adds its files to those: they stay,
 * since tabs with earlier documents still ask for theirs.
 */
export async function withRendered(
  build: PageContents,
  rendered: RenderedSite,
): Promise<Pick<PageContents, 'documents' | 'files'>> {
  await addFiles(build, rendered.files);
  return { documents: new Map(Object.entries(rendered.documents)), files: build.files };
}

/** Adds files, by their addresses, to those that all pages of this build serve. */
export async function addFiles(
  { files }: PageContents,
  added: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [address, text] of Object.entries(added)) {
    if (files.has(address)) continue;
    const identity = Buffer.from(text);
    const bodies = { identity, ...(await compressed(identity)) };
    files.set(address, cachedResponse(bodies, fileHeaders(address)));
  }
}

/** Creates the pages of these contents. `settings` are the template variables of the server's settings. */
export function createPages(
  { documents: texts, files, pictures }: PageContents,
  embeds: Embeds,
  settings: TemplateVariables = {},
): Pages {
  const pages = new Map(
    [...texts].map(([name, text]) => [name, pageOf(name, text, embeds, settings)]),
  );
  const origins = createOrigins({
    onEvict: (origin) => {
      for (const page of pages.values()) page.evict(origin);
    },
    now: () => performance.now(),
  });
  const page = (name: PageName) => {
    const found = pages.get(name);
    if (!found) throw new Error(`The build has no page ${name}. Please run npm run build.`);
    return found;
  };

  const render = (name: PageName, context: RenderContext) => {
    const { cached, uncached } = page(name);
    return origins.admit(context.origin) ? cached(context) : uncached(context);
  };

  return {
    has: (path) =>
      documentAt(path) !== undefined || files.has(path) || pictures?.find(path) !== undefined,
    async prepare(origin) {
      // Does not add `origin` to the cached ones: it may be the local origin, which visitors do not use.
      await Promise.allSettled([page('home').cached({ origin })]);
    },
    cachedOrigins: origins.all,
    alert: () => pictures?.alert(),
    async serve(req, res, context) {
      const pathname = pathOf(req);
      const name = documentAt(pathname, context);
      const picture = name ? undefined : pictures?.find(pathname);
      const known = name ? undefined : files.get(pathname);
      const isFound = name || picture || known;
      if (isFound && req.method !== 'GET' && req.method !== 'HEAD') {
        return sendWrongMethod(res, 'GET, HEAD');
      }
      const file = picture ? await picture() : known;
      if (file) return sendCached(req, res, 200, file);
      const status = name ? 200 : 404;
      return sendCached(req, res, status, await render(name ?? 'not-found', context));
    },
    fill: (res, name, status, variables) =>
      sendFilled(res, { ...page(name), status, variables: { ...settings, ...variables } }),
  };
}

/** Sends a document for one response, filled with these variables. */
export async function sendFilled(
  res: ServerResponse,
  {
    html,
    headers,
    status,
    variables,
  }: {
    html: string;
    headers: Record<string, string>;
    status: number;
    variables: TemplateVariables;
  },
): Promise<void> {
  const filled = Buffer.from(fillTemplate(html, variables));
  const isCompressed = acceptsBrotli(res.req.headers['accept-encoding']);
  const body = isCompressed ? await compressedFast(filled) : filled;
  res
    .writeHead(status, {
      ...headers,
      'Cache-Control': 'no-store',
      ...(isCompressed && { 'Content-Encoding': 'br' }),
      'Content-Length': body.length,
    })
    .end(body);
}

/** The static files by their path, as compressed by the build. */
function readFiles(folder: string): Map<string, CachedResponse> {
  const files = new Map<string, CachedResponse>();
  for (const path of sourceFiles(folder)) {
    const name = path.slice(folder.length).split(sep).join('/');
    const bodies = {
      identity: readFileSync(path),
      br: readIfExists(`${path}.br`),
      gzip: readIfExists(`${path}.gz`),
    };
    files.set(name, cachedResponse(bodies, fileHeaders(name)));
  }
  return files;
}

/** The build and the renderer put a hash of the content into the names below `/assets/`. */
const cacheOf = (path: string) =>
  path.startsWith('/assets/') ? immutable : 'public, max-age=3600';

/** The `Cache-Control` of a file whose path names its content. */
export const immutable = 'public, max-age=31536000, immutable';

/** The headers of the static file at this path. */
export const fileHeaders = (path: string) => publicHeaders(typeOf(path), cacheOf(path));

/** The headers of a file without secrets, which other sites may show, such as the share picture. */
export const publicHeaders = (type: string, cache: string) => ({
  'Content-Type': type,
  'Cache-Control': cache,
  'Cross-Origin-Resource-Policy': 'cross-origin',
});

interface Page {
  html: string;
  headers: Record<string, string>;
  /** The page for this context from the cache. */
  cached(context: RenderContext): Promise<CachedResponse>;
  /** The page for this context, neither compressed nor cached. */
  uncached(context: RenderContext): CachedResponse;
  /** Deletes the cached pages of this origin. */
  evict(origin: string): void;
}

function readDocuments(folder: string): Map<string, string> {
  return new Map(
    sourceFiles(folder).map((path) => [
      path.slice(folder.length + 1).replace(/\.html$/, ''),
      readFileSync(path, 'utf8'),
    ]),
  );
}

function pageOf(name: string, text: string, embeds: Embeds, settings: TemplateVariables): Page {
  const document = readInline(text);
  const { html } = document;
  const headers = headersOf(name, document, embeds);
  const variants = new Map<string, Map<boolean, Promise<CachedResponse>>>();
  const rendered = (context: RenderContext) =>
    Buffer.from(fillTemplate(html, { ...settings, ...templateVariablesOf(context) }));
  const compress = async (context: RenderContext) => {
    const identity = rendered(context);
    return cachedResponse({ identity, ...(await compressed(identity)) }, headers);
  };
  return {
    html,
    headers,
    cached(context) {
      const { origin, storesSales = false } = context;
      const ofOrigin = variants.get(origin) ?? new Map<boolean, Promise<CachedResponse>>();
      variants.set(origin, ofOrigin);
      const known = ofOrigin.get(storesSales);
      if (known) return known;
      const response = compress(context);
      ofOrigin.set(storesSales, response);
      response.catch(() => ofOrigin.delete(storesSales));
      return response;
    },
    uncached: (context) => cachedResponse({ identity: rendered(context) }, headers),
    evict: (origin) => void variants.delete(origin),
  };
}

function headersOf(
  name: string,
  document: ReturnType<typeof readInline>,
  embeds: Embeds,
): Record<string, string> {
  const type = documentType(name);
  if (name.includes('.')) return publicHeaders(type, 'public, max-age=3600');
  // The scheduler's pages are shown in the site's own dialogs, and their addresses are secret.
  const isFramed = name.startsWith('book');
  return {
    'Content-Type': type,
    // Browsers must not restore a screen after a Logout; `src/main.tsx` handles those that still do.
    'Cache-Control': name === 'app' ? 'no-store' : 'no-cache',
    // The editor of the admin app frames the preview.
    'Content-Security-Policy': contentPolicy(document, embeds, {
      isFramed,
      framesPages: name === 'app',
    }),
    ...(isFramed && { 'X-Frame-Options': 'SAMEORIGIN', 'Referrer-Policy': 'same-origin' }),
    // For crawlers that do not parse HTML; the page's meta tag decides.
    ...(document.html.includes('<meta name="robots" content="noindex"') && {
      'X-Robots-Tag': 'noindex',
    }),
  };
}

function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** All files below `folder`, except hidden ones and compressed variants. */
function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/\.(br|gz)$|[\\/]\.[^\\/]*$/.test(path));
}
