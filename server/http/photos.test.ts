import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { photoLimit } from '../contract/photos.ts';
import { run } from '../database/database.ts';
import { engines, openDatabase } from '../testing/engines.ts';
import { pictureOf } from '../testing/picture.ts';
import { site as config } from '../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { createPhotoCache } from './photos.ts';

let jpeg: Buffer;
beforeEach(async () => {
  jpeg = await pictureOf('jpeg', 960, 1200);
});

const open = async (env: Record<string, string> = {}) => {
  const site = await openTestSite({ env });
  onTestFinished(site.close);
  return { site, cookie: await signIn(site) };
};
const upload = async (
  site: TestSite,
  body: Buffer,
  headers: Record<string, string>,
  query = '',
) => {
  const response = await site.fetch(`/api/site/photos${query}`, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', ...headers },
    body: new Uint8Array(body),
  });
  return [response.status, (await response.json()) as Record<string, string>] as const;
};

describe.each(engines)('on $name', ({ create }) => {
  it('an uploaded photo is served to visitors by every instance', async () => {
    const { env, remove } = await create();
    onTestFinished(remove);
    const { site, cookie } = await open(env);
    const other = env.DATABASE_URL ? (await open(env)).site : site;
    const [status, { address = '' }] = await upload(site, jpeg, { cookie });
    expect(status).toBe(200);
    const size = await pictureOf('webp', 480, 600);
    const [, { address: smaller = '' }] = await upload(site, size, { cookie }, `?of=${address}`);
    for (const [path, bytes, type] of [
      [address, jpeg, 'image/jpeg'],
      [smaller, size, 'image/webp'],
    ] as const) {
      const response = await other.fetch(path);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      });
      const etag = response.headers.get('etag') ?? '';
      const again = await other.fetch(path, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const head = await other.fetch(path, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, `${bytes.length}`]);
      expect((await other.fetch(path, { method: 'POST' })).status).toBe(405);
    }
  });
});

it('a published photo is in memory before a visitor asks for it', async () => {
  const [engine] = engines;
  const database = await engine?.create();
  if (!database) throw new Error('There is no engine.');
  onTestFinished(database.remove);
  const { site, cookie } = await open(database.env);
  const [, { address = '' }] = await upload(site, jpeg, { cookie });
  const patches = [{ path: 'about.photo', from: config.about.photo, to: address }];
  const saved = await site.post('/api/site/draft', { patches }, { cookie });
  const { revision } = (await saved.json()) as { revision: number };
  expect((await site.post('/api/site/publish', { revision }, { cookie })).status).toBe(200);
  const beside = await openDatabase(database);
  await beside.write(() => run('DELETE FROM site_photo'));
  await beside.close();
  expect((await site.fetch(address)).headers.get('content-type')).toBe('image/jpeg');
});

it('an upload is refused without the owner’s session, and from another site', async () => {
  const { site, cookie } = await open();
  expect(await upload(site, jpeg, {})).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
  const foreign = { cookie, 'sec-fetch-site': 'cross-site' };
  expect(await upload(site, jpeg, foreign)).toMatchObject([403, { code: 'FOREIGN_ORIGIN' }]);
});

it('an upload is refused when it is no photo or too large, and while site.config.ts is pinned', async () => {
  const { site, cookie } = await open();
  const html = Buffer.from('<script>alert(1)</script>');
  expect(await upload(site, html, { cookie })).toMatchObject([415, { code: 'UNSUPPORTED_PHOTO' }]);
  expect(await upload(site, Buffer.alloc(0), { cookie })).toMatchObject([415, {}]);
  const large = Buffer.alloc(photoLimit + 1);
  expect(await upload(site, large, { cookie })).toMatchObject([413, { code: 'PHOTO_TOO_LARGE' }]);
  const query = '?of=/sample-rowan.svg';
  expect(await upload(site, jpeg, { cookie }, query)).toMatchObject([
    400,
    { issues: [{ path: 'of', message: expect.stringContaining('no such photo') }] },
  ]);
  const pinned = await open({ SITE_CONTENT: 'file' });
  expect(await upload(pinned.site, jpeg, { cookie: pinned.cookie })).toMatchObject([
    409,
    { code: 'CONTENT_IN_FILE' },
  ]);
});

it('an unknown photo is the page of unknown paths', async () => {
  const { site } = await open();
  const known = await site.fetch('/no-such-page');
  for (const path of ['', 'x.jpg', '00000000000000000000000000000000.jpg', '../photos/x', '%00']) {
    const response = await site.fetch(`/photos/${path}`);
    expect([response.status, await response.text()]).toEqual([known.status, 'page']);
  }
});

describe('photos in memory', () => {
  const addressOf = (n: number) => `/photos/${String(n).padStart(32, '0')}.jpg`;
  const openCache = () => {
    const reads: string[] = [];
    const load = createPhotoCache({
      read: async (address) => {
        reads.push(address);
        return address.includes('9') ? undefined : Buffer.alloc(3 * 1024 * 1024);
      },
    });
    return { reads, request: (n: number) => load(addressOf(n)) };
  };

  it('a photo is read once, also by requests at the same time after it', async () => {
    const { reads, request } = openCache();
    await request(1);
    await Promise.all([request(1), request(1)]);
    expect(reads).toEqual([addressOf(1)]);
  });

  it('the photo that was not requested for longest is given up above 16 MB', async () => {
    const { reads, request } = openCache();
    // Read twice, and counted once.
    await Promise.all([request(1), request(1)]);
    for (const n of [2, 3, 4, 5]) await request(n);
    await request(1);
    await request(6);
    reads.length = 0;
    for (const n of [1, 3, 4, 5, 6]) await request(n);
    expect(reads).toEqual([]);
    await request(2);
    expect(reads).toEqual([addressOf(2)]);
  });

  it('unknown photos take no room', async () => {
    const { reads, request } = openCache();
    await request(1);
    for (let n = 0; n < 50; n++) await request(9);
    await request(1);
    expect(reads.filter((address) => address === addressOf(1))).toHaveLength(1);
  });
});
