import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { precompress } from '../../build/precompress.ts';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';
import { cachedResponse } from './cached-response.ts';
import { createPages, readBuild, type SitePictures } from './pages.ts';

const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const inline = `<!--inline ${hash('body{color:red}')} ${hash('boot()')}-->`;
const html = `<!doctype html><html>{{#origin}}<link href="{{origin}}/">{{/origin}}<style>body{color:red}</style><script>boot()</script><style></style><script>alert(1)</script>${inline}<iframe></iframe>${'Read me. '.repeat(50)}</html>`;
const template = html.replace('<!doctype html>', (start) => start + inline);
const key = '0123456789abcdef';
const app = '<html><meta name="robots" content="noindex" />app</html>';
let home: string;
const script = `console.log(${JSON.stringify('x'.repeat(500))})`;
let dist: string;
let site: TestSite;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'shingle-dist-'));
  await mkdir(join(dist, 'client/assets'), { recursive: true });
  await mkdir(join(dist, 'pages'));
  await writeFile(join(dist, 'pages/home.html'), template);
  await writeFile(join(dist, 'pages/app.html'), app);
  await writeFile(join(dist, 'pages/robots.txt'), 'Sitemap: {{origin}}/sitemap.xml');
  await writeFile(
    join(dist, 'pages/privacy.html'),
    '<p>{{keepMessages}}</p>{{origin}}{{#storesSales}} sales{{/storesSales}}',
  );
  await writeFile(join(dist, 'pages/not-found.html'), '<html>404 Page Not Found</html>');
  await writeFile(join(dist, 'pages/contact-failed.html'), '<p>{{error}}</p><i title="{{name}}">');
  await writeFile(join(dist, 'client/assets/boot-1.js'), script);
  await writeFile(join(dist, 'client/favicon.svg'), '<svg/>');
  await writeFile(join(dist, 'client/.DS_Store'), 'Bud1');
  await precompress([join(dist, 'client'), join(dist, 'pages')]);
  const embeds = { frames: ['https://calendar.example.com/me'], scripts: [''] };
  site = await openTestSite({
    env: { CONVERSION_KEY: key },
    pages: createPages(readBuild(dist), embeds, { keepMessages: '60 days' }),
  });
  home = html.replace(/\{\{[#/]origin\}\}/g, '').replace('{{origin}}', site.origin);
});
afterAll(async () => {
  await site.close();
  await rm(dist, { recursive: true });
});

/** fetch undoes encodings, so encoded bodies are asked for through a raw request. */
async function raw(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  { origin } = site,
) {
  const { request } = await import('node:http');
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      request(origin + path, { method, headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('document', () => {
  it('document has the template variables of the settings', async () => {
    expect((await raw('/privacy', {})).body.toString()).toBe(`<p>60 days</p>${site.origin}`);
  });

  it('the privacy page says that sales are stored once there is one', async () => {
    const privacy = async () => (await raw('/privacy', {})).body.toString();
    const before = await privacy();
    expect(before).not.toContain('sales');
    const sale = { id: 'a', amount: 100, currency: 'USD' };
    await site.post('/api/conversions', sale, { authorization: `Bearer ${key}` });
    expect(await privacy()).toBe(`${before} sales`);
  });

  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
  ])('document is sent for Accept-Encoding %s as %s', async (accepted, sent, decode) => {
    const response = await raw('/', { 'accept-encoding': accepted });
    expect(response.headers['content-encoding']).toBe(sent);
    expect(response.headers.vary).toContain('Accept-Encoding');
    expect(decode(response.body).toString()).toBe(home);
  });

  it('document is sent uncompressed without Accept-Encoding', async () => {
    const response = await raw('/', {});
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.body.toString()).toBe(home);
  });

  it('document is sent without backtracking for a long Accept-Encoding', async () => {
    const started = performance.now();
    const spaces = ' '.repeat(15_000);
    for (let n = 0; n < 20; n++) await raw('/', { 'accept-encoding': `br${spaces}x` });
    // Where each run of spaces is tried in every way, one of these takes half a second.
    expect(performance.now() - started).toBeLessThan(8000);
  });

  it('document returns 304 for the ETag of its encoding', async () => {
    const first = await raw('/', { 'accept-encoding': 'br' });
    const etag = String(first.headers.etag);
    const again = await raw('/', { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const other = await raw('/', { 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  it('document returns headers only for HEAD', async () => {
    const response = await raw('/', {}, 'HEAD');
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(home)));
    expect(response.body.length).toBe(0);
  });

  it('document has a policy that allows the inline code that its renderer named, no other, and the calendar frame', async () => {
    const policy = String((await raw('/', {})).headers['content-security-policy']);
    expect(policy).toMatch(new RegExp(`style-src [^;]*${escaped(hash('body{color:red}'))}`));
    expect(policy).toContain(`script-src 'self' '${hash('boot()')}';`);
    expect(policy).toContain('frame-src https://calendar.example.com;');
    expect(policy).not.toContain('unsafe');
  });

  it('only the document with the opt-in script allows its hosts and inline styles', async () => {
    const optIn = `<html><style>a{}</style><template id="opt-in"></template></html>`;
    const provider = 'https://app.kit.com';
    await writeFile(join(dist, 'pages/home.html'), optIn);
    const embeds = { frames: ['https://calendar.example.com/me'], scripts: [`${provider}/a.js`] };
    const own = await openTestSite({ pages: createPages(readBuild(dist), embeds) });
    await writeFile(join(dist, 'pages/home.html'), template);
    const policyOf = async (path: string) =>
      String((await raw(path, {}, 'GET', own)).headers['content-security-policy']);
    const home = await policyOf('/');
    expect(home).toContain(`style-src 'self' 'unsafe-inline' ${provider};`);
    expect(home).toContain(`script-src 'self' ${provider};`);
    for (const path of ['/admin', '/privacy', '/nothing']) {
      const policy = await policyOf(path);
      expect(policy, path).not.toMatch(/kit\.com|unsafe|calendar\.example/);
    }
    await own.close();
  });

  it('document returns 405 for other methods', async () => {
    const response = await raw('/', {}, 'POST');
    expect([response.status, response.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

it('picture of the site replaces the static file, and is loaded for GET and HEAD only', async () => {
  const loaded: string[] = [];
  const picture = cachedResponse(
    { identity: Buffer.from('drawn') },
    { 'Content-Type': 'image/png' },
  );
  const pictures: SitePictures = {
    find: (path) =>
      path === '/favicon.svg'
        ? async () => {
            loaded.push(path);
            return picture;
          }
        : undefined,
    alert: () => 'They cannot be drawn.',
  };
  const pages = createPages({ ...readBuild(dist), pictures }, { frames: [], scripts: [] });
  const own = await openTestSite({ pages });
  expect((await raw('/favicon.svg', {}, 'POST', own)).status).toBe(405);
  expect(loaded).toEqual([]);
  expect(String((await raw('/favicon.svg', {}, 'GET', own)).body)).toBe('drawn');
  expect((await raw('/favicon.svg', {}, 'HEAD', own)).status).toBe(200);
  expect(loaded).toHaveLength(2);
  const headers = { cookie: await signIn(own) };
  const status = await (await own.fetch('/api/settings/status', { headers })).json();
  expect(status).toMatchObject({ alert: 'They cannot be drawn.' });
  await own.close();
});

it('hashed files are immutable and documents are revalidated', async () => {
  const script = await raw('/assets/boot-1.js', {});
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await raw('/', {})).headers['cache-control']).toBe('no-cache');
  expect((await raw('/favicon.svg', {})).headers['content-type']).toBe('image/svg+xml');
});

it('files may be shown by other sites, documents may not', async () => {
  const policyOf = async (path: string) =>
    (await raw(path, {})).headers['cross-origin-resource-policy'];
  for (const path of ['/favicon.svg', '/assets/boot-1.js', '/robots.txt']) {
    expect(await policyOf(path), path).toBe('cross-origin');
  }
  for (const path of ['/', '/admin', '/nothing', '/healthz', '/api/nothing']) {
    expect(await policyOf(path), path).toBe('same-origin');
  }
});

it.each([
  ['/admin/', '/admin'],
  ['/Admin', '/admin'],
  ['/PRIVACY/', '/privacy'],
  ['/index.html', '/'],
  ['/privacy/index.html', '/privacy'],
  ['/analytics/Settings/Email/', '/analytics/settings/email'],
  ['/privacy%2F?utm_source=a&utm_medium=%2F', '/privacy?utm_source=a&utm_medium=%2F'],
  ['/ADMIN?next=//evil.example/', '/admin?next=//evil.example/'],
  ['/robots.txt/', '/robots.txt'],
  ['/Book/Strategy-Call/', '/book/strategy-call'],
  ['/booking/AbC.xyZ/?move', '/booking/AbC.xyZ?move'],
])('%s redirects to the exact path %s', async (path, exact) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await raw(path, {}, method);
    expect([status, headers.location]).toEqual([308, exact]);
  }
});

it.each([
  '//evil.example/',
  '/\\evil.example/',
  '/%2F%2Fevil.example/',
  '//privacy/',
  '/privacy//',
  '/nothing/',
  '/Nothing',
  '/API/contact',
  '/Booking/AbC',
  '/booking//',
  '/booking/a%3Fb/',
  '/booking/%0d%0aX:%201/',
  '/Assets/boot-1.js',
])('%s returns the not-found page without a redirect', async (path) => {
  const { status, headers } = await raw(path, {});
  expect([status, headers.location]).toEqual([404, undefined]);
});

it.each(['/api/contact/', '/api/', '/api/nothing/'])('%s is no call', async (path) => {
  const { status, headers } = await raw(path, {});
  expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
});

it.each([
  '/nothing',
  '/analytics/settings/a/b',
  '/assets/',
  '/../package.json',
  '/%2e%2e/package.json',
  '/%',
  '/setup',
])('%s returns the not-found page', async (path) => {
  const response = await raw(path, {});
  expect([response.status, response.body.toString()]).toEqual([
    404,
    '<html>404 Page Not Found</html>',
  ]);
});

it.each(['/admin', '/analytics', '/analytics/settings/email'])(
  '%s returns the app, which no cache stores',
  async (path) => {
    const response = await raw(`${path}?x=1`, {});
    expect([response.status, response.body.toString()]).toEqual([200, app]);
    expect(response.headers['cache-control']).toBe('no-store');
  },
);

it('/setup returns the app until the site is set up, then the not-found page', async () => {
  const fresh = await openTestSite({
    env: { ADMIN_PASSWORD: undefined },
    pages: createPages(readBuild(dist), { frames: [], scripts: [''] }),
  });
  const page = async () => {
    const response = await fresh.fetch('/setup');
    return [response.status, await response.text()];
  };
  expect(await page()).toEqual([200, app]);
  const input = { code: fresh.setupCode, password: 'plum tractor seldom violet' };
  expect((await fresh.post('/api/setup', input)).status).toBe(200);
  expect(await page()).toEqual([404, '<html>404 Page Not Found</html>']);
  await fresh.close();
});

it('noindex documents have an X-Robots-Tag header', async () => {
  expect((await raw('/admin', {})).headers['x-robots-tag']).toBe('noindex');
  expect((await raw('/', {})).headers['x-robots-tag']).toBeUndefined();
});

it('robots.txt contains the origin and is cached for an hour', async () => {
  const { status, headers, body } = await raw('/robots.txt', {});
  expect([status, body.toString()]).toEqual([200, `Sitemap: ${site.origin}/sitemap.xml`]);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect(headers['content-security-policy']).not.toContain('script-src');
});

it('hidden files return 404', async () => {
  expect((await raw('/.DS_Store', {})).status).toBe(404);
});

describe('origin in a document', () => {
  const linkIn = async (headers: Record<string, string>) =>
    /<link href="(.*?)\/">/.exec((await raw('/', headers)).body.toString())?.[1];

  it('origin is the requested one without PUBLIC_URL', async () => {
    expect(await linkIn({ host: 'Shop.example:8080' })).toBe('http://shop.example:8080');
    expect(await linkIn({ host: 'shop.example', 'x-forwarded-proto': 'https' })).toBe(
      'https://shop.example',
    );
  });

  it('origin is correct for a client that invents many hosts, in an uncompressed document', async () => {
    for (let n = 0; n < 10; n++) await linkIn({ host: `made-up-${n}.example` });
    const headers = { host: 'made-up-11.example', 'accept-encoding': 'br' };
    expect(await linkIn(headers)).toBe('http://made-up-11.example');
    expect((await raw('/', headers)).headers['content-encoding']).toBeUndefined();
  });

  it('origin prepared at the start does not take a cache slot', async () => {
    const pages = createPages(readBuild(dist), { frames: [], scripts: [] });
    await pages.prepare('http://localhost:3000');
    const own = await openTestSite({ pages });
    for (let n = 0; n < 8; n++) {
      const headers = { host: `shop-${n}.example`, 'accept-encoding': 'br' };
      expect((await raw('/', headers, 'GET', own)).headers['content-encoding']).toBe('br');
    }
    await own.close();
  });

  it('origin is PUBLIC_URL when it is set', async () => {
    const owned = await openTestSite({
      pages: createPages(readBuild(dist), { frames: [], scripts: [] }),
      env: { PUBLIC_URL: 'https://rowan.example' },
    });
    const html = await (await owned.fetch('/')).text();
    await owned.close();
    expect(html).toContain('<link href="https://rowan.example/">');
  });
});
