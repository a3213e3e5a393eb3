/** How the site is found and shared: what search engines, social networks and phones are told. */
import { type AddressInfo, createServer } from 'node:net';
import type { APIRequestContext } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expect, runSite, test } from './site.ts';

interface Thing {
  '@type': string;
  name: string;
  url: string;
}

const addressesIn = (html: string) => ({
  canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1],
  openGraph: /<meta property="og:url" content="([^"]*)"/.exec(html)?.[1],
  picture: /<meta property="og:image" content="([^"]*)"/.exec(html)?.[1],
});

/** A port that was free a moment ago: with a PUBLIC_URL the server does not print its own. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const pictureSize = async (request: APIRequestContext, address: string) => {
  const answer = await request.get(address);
  expect(answer.headers()['content-type']).toBe('image/png');
  const png = await answer.body();
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
};

test('the landing page names itself, its picture and its business', async ({ page, site }) => {
  await page.goto('/');
  const content = (selector: string) => page.locator(`head ${selector}`).getAttribute('content');
  expect(await content('meta[name=description]')).toBe(words.seo.description);
  expect(await content('meta[property="og:title"]')).toBe(words.seo.title);
  expect(await content('meta[property="og:url"]')).toBe(`${site.origin}/`);
  expect(await content('meta[name="twitter:card"]')).toBe('summary_large_image');
  await expect(page.locator('head link[rel=canonical]')).toHaveAttribute('href', `${site.origin}/`);
  await expect(page.locator('head meta[name=robots]')).toHaveCount(0);
  const json = await page.locator('head script[type="application/ld+json"]').textContent();
  const things: Thing[] = JSON.parse(json ?? '')['@graph'];
  expect(things.map((thing) => thing['@type'])).toEqual([
    'ProfessionalService',
    'Person',
    'WebSite',
  ]);
  for (const { url } of things) expect(url).toMatch(new RegExp(`^${site.origin}/`));
});

test('the picture of a shared link is there, for good', async ({ request }) => {
  const { picture = '' } = addressesIn(await (await request.get('/')).text());
  expect(await pictureSize(request, picture)).toEqual([1200, 630]);
  expect((await request.get(picture)).headers()['cache-control']).toContain('immutable');
});

test('addresses are those of the host that was asked', async ({ request }) => {
  const at = async (headers: Record<string, string>) =>
    addressesIn(await (await request.get('/', { headers })).text());
  expect(await at({ host: 'rowan.test', 'x-forwarded-proto': 'https' })).toEqual({
    canonical: 'https://rowan.test/',
    openGraph: 'https://rowan.test/',
    picture: expect.stringMatching(/^https:\/\/rowan\.test\/assets\/share-[\da-f]+\.png$/),
  });
});

test('PUBLIC_URL is the address, whatever was asked', async ({ request, engine }) => {
  const port = await freePort();
  const PUBLIC_URL = `https://rowan.test:${port}`;
  const { site, stop } = await runSite(engine, {
    env: { PORT: String(port), PUBLIC_URL },
    instances: 1,
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    request.get(site.origin + path, { headers, maxRedirects: 0 });
  const behindProxy = { 'x-forwarded-host': new URL(PUBLIC_URL).host };
  expect(addressesIn(await (await get('/', behindProxy)).text())).toMatchObject({
    canonical: `${PUBLIC_URL}/`,
  });
  const robots = await (await get('/robots.txt', behindProxy)).text();
  expect(robots).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`);
  const elsewhere = await get('/?utm_source=x');
  expect([elsewhere.status(), elsewhere.headers().location]).toEqual([
    308,
    `${PUBLIC_URL}/?utm_source=x`,
  ]);
  await stop();
});

test('the files for search engines and phones answer', async ({ request }) => {
  for (const [path, type, part] of [
    ['/robots.txt', 'text/plain; charset=utf-8', 'Disallow: /admin'],
    ['/sitemap.xml', 'application/xml; charset=utf-8', '<loc>http'],
    ['/llms.txt', 'text/plain; charset=utf-8', words.services.management.name],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8', words.brand.name],
    ['/favicon.svg', 'image/svg+xml', '<svg'],
    ['/favicon.ico', 'image/x-icon', 'PNG'],
  ] as const) {
    await test.step(path, async () => {
      const answer = await request.get(path);
      expect([answer.status(), answer.headers()['content-type']]).toEqual([200, type]);
      const text = (await answer.body()).toString('utf8');
      expect(text).toContain(part);
      expect(text).not.toContain('{{');
    });
  }
});

test('the icons of home screens have the sizes they are named with', async ({ request }) => {
  expect(await pictureSize(request, '/apple-touch-icon.png')).toEqual([180, 180]);
  const { icons } = await (await request.get('/manifest.webmanifest')).json();
  expect(icons.length).toBeGreaterThan(1);
  for (const { src, sizes } of icons) {
    expect((await pictureSize(request, src)).join('x')).toBe(sizes);
  }
});

test('/admin, /analytics and unknown pages are not to be found', async ({ request }) => {
  for (const path of ['/admin', '/analytics', '/nowhere']) {
    await test.step(path, async () => {
      const answer = await request.get(path);
      expect(answer.headers()['x-robots-tag']).toBe('noindex');
      const html = await answer.text();
      expect(html).toMatch(/<meta name="robots" content="noindex"/);
      expect(html).not.toMatch(/og:|ld\+json|canonical/);
    });
  }
});
