/** The share picture and the icons of a published site: each instance draws them when they are first requested. */
import type { Log } from '../../log.ts';
import { minuteMs } from '../../time/units.ts';
import { type CachedResponse, cachedResponse } from './cached-response.ts';
import { compressed } from './compress.ts';
import { fileHeaders, type SitePictures } from './pages.ts';

interface PictureOptions {
  /** What the build has drawn its pictures from, by their address. The owner provides the other icons. */
  built: Record<string, string>;
  /** The files of the build, with its pictures. */
  files: ReadonlyMap<string, CachedResponse>;
  now: () => number;
  log: Log;
}

/** How many pictures are kept: those of several publishes, since other sites have the addresses of earlier ones. */
const maxKept = 32;

const isShare = (path: string) => /^\/assets\/share-[\da-f]{8}\.png$/.test(path);
/** What stays the same in the addresses of a picture. */
const nameOf = (address: string) => (isShare(address) ? 'share' : address);

/** Draws the pictures of a site that have these addresses. */
type Draw = (addresses: string[]) => Promise<Record<string, Uint8Array>>;

/** Creates the function that returns the pictures of a site, from what each is drawn from by its address. */
export function createPictures({ built, files, now, log }: PictureOptions) {
  const kept = new Map<string, CachedResponse>();
  /** The last of each that was drawn. */
  const newest = new Map<string, CachedResponse>();
  for (const address of Object.keys(built)) {
    const file = files.get(address);
    if (file) newest.set(nameOf(address), file);
  }
  const keep = async (address: string, source: string, bytes: Uint8Array) => {
    const identity = Buffer.from(bytes);
    const bodies = { identity, ...(address.endsWith('.svg') && (await compressed(identity))) };
    const response = cachedResponse(bodies, fileHeaders(address));
    kept.set(keyOf(address, source), response);
    newest.set(nameOf(address), response);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
  };

  return async (sources: Record<string, string>, draw: Draw): Promise<SitePictures> => {
    const share = Object.keys(sources).find(isShare);
    const wanted = new Map(
      Object.entries(sources).filter(([address, source]) =>
        address in built ? built[address] !== source : isShare(address),
      ),
    );
    // Every page needs the tab icon at once, and it is what it is drawn from.
    for (const [address, source] of wanted) {
      if (address.endsWith('.svg')) await keep(address, source, Buffer.from(source));
    }
    let failures = 0;
    let pausedUntil = 0;
    let drawing: Promise<void> | undefined;
    const drawMissing = async () => {
      const missing = [...wanted].filter(([address, source]) => !kept.has(keyOf(address, source)));
      try {
        const drawn = await draw(missing.map(([address]) => address));
        for (const [address, source] of missing) {
          const bytes = drawn[address];
          if (!bytes) throw new Error(`${address} was not drawn.`);
          await keep(address, source, bytes);
        }
        failures = 0;
      } catch (error) {
        if (failures === 0) log.error({ error }, 'pictures: cannot be drawn; will retry');
        failures += 1;
        pausedUntil = now() + minuteMs;
      } finally {
        drawing = undefined;
      }
    };
    const load = async (address: string, source: string) => {
      const key = keyOf(address, source);
      if (!kept.has(key) && now() >= pausedUntil) {
        drawing ??= drawMissing();
        await drawing;
      }
      return kept.get(key) ?? uncached(newest.get(nameOf(address)));
    };
    return {
      find(path) {
        const source = wanted.get(path);
        if (source !== undefined) return () => load(path, source);
        if (!isShare(path) || files.has(path)) return undefined;
        const earlier = kept.get(path);
        if (earlier) return async () => earlier;
        // Another version's: of before the start, or of a publish that this instance does not show yet.
        return async () => {
          const source = share && wanted.get(share);
          return uncached(source ? await load(share, source) : files.get(share ?? ''));
        };
      },
      alert: () =>
        failures > 1
          ? 'The picture for shared links and the icons cannot be drawn, so visitors get earlier ones. This is tried again by itself. If it stays so, please look into the log of the server.'
          : undefined,
    };
  };
}

/** The address of a share picture names what it is drawn from. */
const keyOf = (address: string, source: string) => (isShare(address) ? address : address + source);

/** A response that stands in for another one, so that no cache keeps it. */
const uncached = (response: CachedResponse | undefined): CachedResponse | undefined =>
  response && {
    identity: {
      ...response.identity,
      headers: { ...response.identity.headers, 'Cache-Control': 'no-cache' },
    },
  };
