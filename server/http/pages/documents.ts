/** The documents of the site: their names, paths, content types and template variables. */
import { extname } from 'node:path';
import type { DocumentName, SiteVariables } from '../../contract/pages.ts';

/** The names of the documents: those that the build renders, and that of the admin app. */
export type PageName = DocumentName | 'app';

/** The document at each exact path. */
export const documents: Readonly<Record<string, PageName>> = {
  '/': 'home',
  '/imprint': 'imprint',
  '/privacy': 'privacy',
  '/admin': 'app',
  '/analytics': 'app',
  '/analytics/bookings': 'app',
  '/analytics/messages': 'app',
  '/analytics/settings': 'app',
  '/analytics/setup': 'app',
  '/analytics/site': 'app',
  '/setup': 'app',
  '/robots.txt': 'robots.txt',
  '/sitemap.xml': 'sitemap.xml',
  '/llms.txt': 'llms.txt',
  '/manifest.webmanifest': 'manifest.webmanifest',
};

/** A page of Settings. The app says which there are. */
const settingsPage = /^\/analytics\/settings\/[a-z-]+$/;

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

/** The content type of a document, by its extension; without one it is HTML. */
export const documentType = (name: string) => typeOf(name.includes('.') ? name : `${name}.html`);

/** The content type of a file, by its extension. */
export const typeOf = (path: string) => types[extname(path)] ?? 'application/octet-stream';

/** The values that a document depends on when it is served. */
export interface RenderContext {
  /** The site's origin as the visitor requested it. */
  origin: string;
  /** Whether any sale is stored, for `/privacy`. */
  storesSales?: boolean;
  /** Whether there is no page at `setupPath`. */
  isSetupClosed?: boolean;
}

/** Where somebody with the code sets a fresh site up. */
export const setupPath = '/setup';

/** The document at a path; undefined where there is none, so that without a file the path is not found. */
export const documentAt = (
  path: string,
  { isSetupClosed }: Pick<RenderContext, 'isSetupClosed'> = {},
): PageName | undefined => {
  if (isSetupClosed && path === setupPath) return undefined;
  return documents[path] ?? (settingsPage.test(path) ? 'app' : undefined);
};

/** The template variables of a render context. */
export const templateVariablesOf = ({
  origin,
  storesSales,
}: RenderContext): Partial<SiteVariables> => ({ origin, ...(storesSales && { storesSales }) });
