/** The share picture and the icons of a running site, as drawn from what is published. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterEach, expect, it, vi } from 'vitest';
import { site as built } from '../../site.config.ts';
import { createRenderer } from '../content/renderer.ts';
import { createLog } from '../log.ts';
import { postgres } from '../testing/engines.ts';
import { openTestSite, signIn } from '../testing/site.ts';
import { sitePages } from './site-pages.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function createDatabase() {
  const database = await postgres.create();
  closing.push(database.remove);
  return database.env;
}

async function open(env: Record<string, string>) {
  const log = createLog('silent', { pretty: false });
  const site = await openTestSite({
    env,
    config: built,
    pages: sitePages('dist', { built, settings: () => ({}), log }),
  });
  closing.push(site.close);
  return site;
}
type Running = Awaited<ReturnType<typeof open>>;

async function publish(site: Running, patches: { path: string; from: string; to: string }[]) {
  const headers = { cookie: await signIn(site) };
  const saved = await site.post('/api/site/draft', { patches }, headers);
  const { revision, conflicts } = (await saved.json()) as { revision: number; conflicts: [] };
  expect(conflicts).toEqual([]);
  const published = await site.post('/api/site/publish', { revision }, headers);
  expect([published.status, await published.json()]).toMatchObject([200, {}]);
}

/** The addresses of the pictures in the landing page. */
async function addresses(site: Running) {
  const html = await (await site.fetch('/')).text();
  return {
    share:
      /property="og:image" content="[^"]*?(\/assets\/share-[\da-f]{8}\.png)"/.exec(html)?.[1] ?? '',
    icon: /<link rel="icon" href="([^"]+)"/.exec(html)?.[1] ?? '',
  };
}

async function picture(site: Running, path: string) {
  const response = await site.fetch(path);
  expect(response.status).toBe(200);
  const body = Buffer.from(await response.arrayBuffer());
  return { body, cache: response.headers.get('cache-control') };
}

const changes = [
  { path: 'hero.title', from: built.hero.title, to: 'Operations, sorted.' },
  { path: 'colours.lines.management.light', from: '#1D4ED8', to: '#7A1FA2' },
  { path: 'colours.lines.management.dark', from: '#86A8FF', to: '#E1A6F5' },
];
const icons = ['/favicon.svg', '/favicon.ico', '/apple-touch-icon.png', '/icon-192.png'];

it('published texts and colours are in the share picture and the icons', async () => {
  const site = await open(await createDatabase());
  const before = await addresses(site);
  const old = await Promise.all([before.share, ...icons].map((path) => picture(site, path)));
  await publish(site, changes);
  const after = await addresses(site);
  expect(after.share).not.toBe(before.share);
  expect(after.icon).not.toBe(before.icon);
  const [share, ...drawn] = await Promise.all(
    [after.share, ...icons].map((path) => picture(site, path)),
  );
  expect(share?.body.equals(old[0]?.body ?? Buffer.alloc(0))).toBe(false);
  expect(share?.cache).toContain('immutable');
  expect(share?.body.toString('latin1', 1, 4)).toBe('PNG');
  for (const [i, { body, cache }] of drawn.entries()) {
    expect(body.equals(old[i + 1]?.body ?? body), icons[i]).toBe(false);
    expect(cache).toBe('public, max-age=3600');
  }
  expect(String((await picture(site, after.icon)).body)).toContain('#7A1FA2');
  expect((await picture(site, before.share)).body).toEqual(old[0]?.body);
});

it('another instance draws the same pictures as the one that published', async () => {
  const database = await createDatabase();
  const [one, other] = [await open(database), await open(database)];
  await publish(one, changes);
  const { share } = await addresses(one);
  // It may not show the publish yet: there is always a picture.
  await picture(other, share);
  await vi.waitFor(async () => expect((await addresses(other)).share).toBe(share), 20_000);
  for (const path of [share, '/favicon.ico']) {
    const [here, there] = [await picture(one, path), await picture(other, path)];
    expect(there.cache).toBe(here.cache);
    expect(there.body.equals(here.body)).toBe(true);
  }
});

it('pictures of a published site are those of before after a restart', async () => {
  const database = await createDatabase();
  const site = await open(database);
  await publish(site, changes);
  const { share } = await addresses(site);
  const { body } = await picture(site, share);
  const again = await open(database);
  expect((await addresses(again)).share).toBe(share);
  expect((await picture(again, share)).body.equals(body)).toBe(true);
});

it('an uploaded square picture becomes the tab icon, that of Apple and those of the manifest', async () => {
  const site = await open(await createDatabase());
  const headers = { cookie: await signIn(site) };
  const upload = async (type: 'png' | 'jpeg', colour: string) => {
    const file = sharp({ create: { width: 512, height: 512, channels: 3, background: colour } });
    const response = await site.fetch('/api/site/photos', {
      ...{ method: 'POST', headers, body: new Uint8Array(await file[type]().toBuffer()) },
    });
    return ((await response.json()) as { address: string }).address;
  };
  let from = '';
  const links = new Set([(await addresses(site)).icon]);
  for (const [type, colour, rgb] of [
    ['png', '#f00', [255, 0, 0]],
    ['jpeg', '#00f', [0, 0, 255]],
  ] as const) {
    const to = await upload(type, colour);
    await publish(site, [{ path: 'seo.icon', from, to }]);
    from = to;
    const { icon } = await addresses(site);
    expect(icon).toMatch(/^\/icon-192\.png\?v=/);
    links.add(icon);
    const manifest = await (await site.fetch('/manifest.webmanifest')).json();
    const icons = (manifest as { icons: { src: string }[] }).icons.map(({ src }) => src);
    for (const path of [icon, '/apple-touch-icon.png', ...icons]) {
      const pixels = sharp((await picture(site, path)).body);
      const { width = 0 } = await pixels.metadata();
      const place = { left: width / 2, top: width / 2, width: 1, height: 1 };
      const middle = await pixels.extract(place).removeAlpha().raw().toBuffer();
      for (const [i, value] of rgb.entries()) {
        expect(Math.abs((middle[i] ?? 0) - value), `${path} of ${type}`).toBeLessThan(3);
      }
    }
    expect((await picture(site, '/favicon.ico')).body.subarray(0, 4)).toEqual(
      Buffer.from([0, 0, 1, 0]),
    );
  }
  // Browsers keep the icon of an address, so each has its own.
  expect(links.size).toBe(3);
  await publish(site, [{ path: 'seo.icon', from, to: '' }]);
  expect((await addresses(site)).icon).toMatch(/^\/favicon\.svg\?v=/);
});

it('pictures drawn while the site runs are, byte for byte, those of the build', async () => {
  const render = createRenderer('dist');
  const { pictures } = await render.site({ config: built, photos: [] });
  expect(Object.keys(pictures)).toHaveLength(7);
  const drawn = await render.pictures(built, Object.keys(pictures));
  for (const [address, bytes] of Object.entries(drawn)) {
    expect(readFileSync(`dist/client${address}`).equals(bytes), address).toBe(true);
  }
  expect(Object.keys(drawn).sort()).toEqual(Object.keys(pictures).sort());
});

it('pictures of a config that cannot be rendered, or without a build, are an error', async () => {
  const damaged = { ...built, hero: undefined } as unknown as typeof built;
  await expect(createRenderer('dist').pictures(damaged, ['/favicon.ico'])).rejects.toThrow(
    /undefined/,
  );
  await expect(createRenderer('/nowhere').pictures(built, ['/favicon.ico'])).rejects.toThrow(
    /ended by exit code 1/,
  );
});

/** The share picture with these texts. */
async function shareOf(texts: { name: string; title: string; tagline: string; others: string }) {
  const config = {
    ...built,
    brand: { ...built.brand, name: texts.name, tagline: texts.tagline },
    hero: {
      ...built.hero,
      title: texts.title,
      tracks: built.hero.tracks.map(() => texts.others),
      interchange: texts.others,
    },
  };
  const render = createRenderer('dist');
  const { pictures } = await render.site({ config, photos: [] });
  const share = Object.keys(pictures).filter((path) => path.startsWith('/assets/'));
  const [png = new Uint8Array()] = Object.values(await render.pictures(config, share));
  expect(png.length).toBeGreaterThan(10_000);
  return Buffer.from(png);
}

it('characters that no font has are left out of the share picture', async () => {
  const unknown = { name: '👩‍💻🚀', title: 'שלום', tagline: 'مرحبا', others: '日本' };
  const none = { name: ' ', title: ' ', tagline: ' ', others: ' ' };
  expect((await shareOf(unknown)).equals(await shareOf(none))).toBe(true);
});

it('markup, control characters and parts of characters are no obstacle to a share picture', async () => {
  const texts = { name: 'a</text>&"b', title: 'a\u0000b\ud800', tagline: 'a\uffffb', others: 'ab' };
  const plain = { ...texts, title: 'ab', tagline: 'ab' };
  expect((await shareOf(texts)).equals(await shareOf(plain))).toBe(true);
});
