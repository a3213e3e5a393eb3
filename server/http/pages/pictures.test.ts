/** When pictures are drawn and what is served meanwhile; `site-pages.built.test.ts` draws real ones. */
import { expect, it } from 'vitest';
import { createLog } from '../../log.ts';
import { cachedResponse } from './cached-response.ts';
import { fileHeaders } from './pages.ts';
import { createPictures } from './pictures.ts';

const share = (version: number) => `/assets/share-${String(version).padStart(8, '0')}.png`;
/** What the build has drawn its pictures from; `icon-192.png` is the owner's. */
const built = {
  [share(0)]: 'share 0',
  '/favicon.ico': '<svg>0</svg>',
  '/favicon.svg': '<svg>0</svg>',
};
const publish = (version: number) => ({
  [share(version)]: `share ${version}`,
  '/favicon.ico': `<svg>${version}</svg>`,
  '/favicon.svg': `<svg>${version}</svg>`,
  '/icon-192.png': `<svg>${version}</svg>`,
});

/** Pictures whose drawing is recorded, and fails while `broken` says so. */
function open() {
  const files = new Map(
    [...Object.keys(built), '/icon-192.png'].map((address) => [
      address,
      cachedResponse({ identity: Buffer.from(`built ${address}`) }, fileHeaders(address)),
    ]),
  );
  const state = { now: 0, broken: false, drawn: [] as string[][] };
  const picturesOf = createPictures({
    built,
    files,
    now: () => state.now,
    log: createLog('silent', { pretty: false }),
  });
  const draw = async (addresses: string[]) => {
    state.drawn.push(addresses);
    if (state.broken) throw new Error('no memory');
    const call = state.drawn.length;
    return Object.fromEntries(addresses.map((a) => [a, Buffer.from(`drawn ${call} ${a}`)]));
  };
  const of = async (version: number) => {
    const pictures = await picturesOf(version === 0 ? built : publish(version), draw);
    const get = async (path: string) => {
      const response = (await pictures.find(path)?.())?.identity;
      const cache = String(response?.headers['Cache-Control']);
      return response && [String(response.body), cache.replace(/.*(immutable|=3600)$/, '$1')];
    };
    return { get, alert: pictures.alert };
  };
  return { state, of };
}

it('pictures are drawn once, all that differ, when one is first requested', async () => {
  const { state, of } = open();
  const { get } = await of(1);
  expect(state.drawn).toEqual([]);
  const [card, icon] = await Promise.all([get(share(1)), get('/favicon.ico')]);
  expect(card).toEqual([`drawn 1 ${share(1)}`, 'immutable']);
  expect(icon).toEqual(['drawn 1 /favicon.ico', '=3600']);
  expect(await get(share(1))).toEqual(card);
  expect(state.drawn).toEqual([[share(1), '/favicon.ico']]);
});

it('the tab icon is served without drawing', async () => {
  const { state, of } = open();
  expect(await (await of(1)).get('/favicon.svg')).toEqual(['<svg>1</svg>', '=3600']);
  expect(state.drawn).toEqual([]);
});

it('pictures of the build are drawn no more, and icons of the owner never', async () => {
  const { state, of } = open();
  const unchanged = await of(0);
  for (const path of [...Object.keys(built), '/icon-192.png', '/other.png']) {
    expect(await unchanged.get(path)).toBeUndefined();
  }
  expect(await (await of(1)).get('/icon-192.png')).toBeUndefined();
  expect(state.drawn).toEqual([]);
});

it('an earlier share picture stays at its address, and icons are those of the site', async () => {
  const { of } = open();
  const before = await of(1);
  const [card, icon] = [await before.get(share(1)), await before.get('/favicon.ico')];
  const after = await of(2);
  expect(await after.get(share(1))).toEqual(card);
  expect(await after.get('/favicon.ico')).toEqual(['drawn 2 /favicon.ico', '=3600']);
  expect(await before.get('/favicon.ico')).toEqual(icon);
  expect(await after.get(share(0))).toBeUndefined();
});

it('an unknown address of a share picture has the current one, which no cache keeps', async () => {
  const { of } = open();
  expect(await (await of(1)).get(share(7))).toEqual([`drawn 1 ${share(1)}`, 'no-cache']);
  expect(await (await of(0)).get(share(7))).toEqual([`built ${share(0)}`, 'no-cache']);
  expect(await (await of(0)).get('/assets/share-elsewhere.png')).toBeUndefined();
});

it('in place of pictures that cannot be drawn are the last ones, and the owner is told when that persists', async () => {
  const { state, of } = open();
  await (await of(1)).get(share(1));
  state.broken = true;
  const { get, alert } = await of(2);
  expect(await get(share(2))).toEqual([`drawn 1 ${share(1)}`, 'no-cache']);
  expect(await get('/favicon.ico')).toEqual(['drawn 1 /favicon.ico', 'no-cache']);
  expect(state.drawn).toHaveLength(2);
  expect(alert()).toBeUndefined();
  state.now += 60_000;
  await get('/favicon.ico');
  expect(alert()).toMatch(/cannot be drawn/);
  state.broken = false;
  state.now += 60_000;
  expect(await get(share(2))).toEqual([`drawn 4 ${share(2)}`, 'immutable']);
  expect(alert()).toBeUndefined();
});

it('pictures of the last publishes are kept, and those of earlier ones deleted', async () => {
  const { state, of } = open();
  for (let version = 1; version <= 12; version++) await (await of(version)).get(share(version));
  const { get } = await of(12);
  expect(await get(share(12))).toEqual([`drawn 12 ${share(12)}`, 'immutable']);
  expect(await get(share(11))).toEqual([`drawn 11 ${share(11)}`, 'immutable']);
  expect(await get(share(1))).toEqual([`drawn 12 ${share(12)}`, 'no-cache']);
  expect(state.drawn).toHaveLength(12);
});
