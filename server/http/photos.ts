/** Uploads of photos by the signed-in owner, and the photos as visitors load them. */
import type { PhotoStore } from '../content/photos.ts';
import { photoLimit } from '../contract/photos.ts';
import { ApiError } from '../trpc/errors.ts';
import { requireAccess } from '../trpc/trpc.ts';
import type { AdapterOptions, Handler } from './handler.ts';
import { type CachedResponse, cachedResponse, sendCached } from './pages/cached-response.ts';
import { typeOf } from './pages/documents.ts';
import { immutable, publicHeaders } from './pages/pages.ts';
import { pathOf, queryOf } from './request/url.ts';
import { sendJson } from './response.ts';

/** The paths of uploaded photos. */
export const photoPaths = /^\/photos\//;

/** Maximum size of the photos in memory, in bytes. A site shows about one megabyte of them. */
const cacheSize = 16 * 1024 * 1024;

/** Creates the handler of `POST /api/site/photos`. */
export const createPhotoUpload =
  ({ createContext, body }: Pick<AdapterOptions, 'createContext' | 'body'>): Handler =>
  async (req, res) => {
    const ctx = createContext(req, res);
    if (ctx.request.isForeign) throw new ApiError('FOREIGN_ORIGIN');
    await requireAccess(ctx, { session: true });
    const { isPinned, photos } = ctx.content;
    if (isPinned) throw new ApiError('CONTENT_IN_FILE');
    const bytes = await body.bytes(req, res, photoLimit);
    const of = queryOf(req).get('of') ?? undefined;
    const added = await photos.add({ bytes, of, now: ctx.now() });
    if (added === 'unreadable') throw new ApiError('UNSUPPORTED_PHOTO');
    if (added === 'unfit') throw new ApiError('VALIDATION', { issues: [notASize] });
    sendJson(res, 200, added);
  };

const notASize = {
  path: 'of',
  message: 'There is no such photo, or this is no smaller size of it.',
};

/** The photo at a path; undefined when there is none. */
export type LoadPhoto = (path: string) => Promise<CachedResponse | undefined>;

/** Creates the function that loads photos, those that were requested last from memory. */
export function createPhotoCache({ read }: Pick<PhotoStore, 'read'>): LoadPhoto {
  // A map keeps its entries in the order in which they were added.
  const cache = new Map<string, CachedResponse>();
  let size = 0;
  return async (path) => {
    const known = cache.get(path);
    if (known) {
      cache.delete(path);
      cache.set(path, known);
      return known;
    }
    const identity = await read(path);
    if (!identity) return undefined;
    const photo = cachedResponse({ identity }, publicHeaders(typeOf(path), immutable));
    // Another request may have loaded it meanwhile.
    if (!cache.has(path)) size += identity.length;
    cache.set(path, photo);
    for (const [oldest, { identity }] of cache) {
      if (size <= cacheSize) break;
      cache.delete(oldest);
      size -= identity.body.length;
    }
    return photo;
  };
}

/** Creates the handler of `photoPaths`. Other paths than those of photos go to `next`. */
export const createPhotoHandler =
  (load: LoadPhoto, next: (...parameters: Parameters<Handler>) => Promise<void>): Handler =>
  async (req, res) => {
    const photo = await load(pathOf(req));
    return photo ? sendCached(req, res, 200, photo) : next(req, res);
  };
