/** Metadata for search engines, link previews and home screens. */
import { type AddressInfo, createServer } from 'node:net';
import type { APIRequestContext } from '@playwright/test';
import { openTestCalendar } from '../server/testing/calendar.ts';
import { site as config } from '../site.config.ts';
import { expect, runSite, test } from './site.ts';

interface Entity {
  '@type': string;
  name: string;
  url: string;
}

const urlsIn = (html: string) => ({
  canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1],
  openGraph: /<meta property="og:url" content="([^"]*)"/.exec(html)?.[1],
  picture: /<meta property="og:image" content="([^"]*)"/.exec(html)?.[1],
});

/** A free port. With PUBLIC_URL the server does not print its port, so the test has to choose it. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const pictureSize = async (request: APIRequestContext, url: string) => {
  const response = await request.get(url);
  expect(response.headers()['content-type']).toBe('image/png');
  const png = await response.body();
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
};

test('the landing page has its description, Open Graph tags and JSON-LD', async ({
  page,
  site,
}) => {
  await page.goto('/');
  const content = (selector: string) => page.locator(`head ${selector}`).getAttribute('content');
  expect(await content('meta[name=description]')).toBe(config.seo.description);
  expect(await content('meta[property="og:title"]')).toBe(config.seo.title);
  expect(await content('meta[property="og:url"]')).toBe(`${site.origin}/`);
  expect(await content('meta[name="twitter:card"]')).toBe('summary_large_image');
  await expect(page.locator('head link[rel=canonical]')).toHaveAttribute('href', `${site.origin}/`);
  await expect(page.locator('head meta[name=robots]')).toHaveCount(0);
  const json = await page.locator('head script[type="application/ld+json"]').textContent();
  const entities: Entity[] = JSON.parse(json ?? '')['@graph'];
  expect(entities.map((entity) => entity['@type'])).toEqual(['Organization', 'Person', 'WebSite']);
  for (const { url } of entities) expect(url).toMatch(new RegExp(`^${site.origin}/`));
});

test('the share picture has its size and is cached as immutable', async ({ request }) => {
  const { picture = '' } = urlsIn(await (await request.get('/')).text());
  expect(await pictureSize(request, picture)).toEqual([1200, 630]);
  expect((await request.get(picture)).headers()['cache-control']).toContain('immutable');
});

test('another site can show the share picture', async ({ page, request }) => {
  const { picture = '' } = urlsIn(await (await request.get('/')).text());
  const html = `<img src="${picture}">`;
  const partner = await openTestCalendar();
  partner.setBehaviour((res) => res.setHeader('Content-Type', 'text/html').end(html));
  await page.goto(partner.origin);
  await expect(page.locator('img')).toHaveJSProperty('naturalWidth', 1200);
  await partner.close();
});

test('URLs in the page use the host of the request', async ({ request }) => {
  const at = async (headers: Record<string, string>) =>
    urlsIn(await (await request.get('/', { headers })).text());
  expect(await at({ host: 'rowan.test', 'x-forwarded-proto': 'https' })).toEqual({
    canonical: 'https://rowan.test/',
    openGraph: 'https://rowan.test/',
    picture: expect.stringMatching(/^https:\/\/rowan\.test\/assets\/share-[\da-f]+\.png$/),
  });
});

test('URLs use PUBLIC_URL, and other hosts redirect to it', async ({ request, engine }) => {
  const port = await freePort();
  const PUBLIC_URL = `https://rowan.test:${port}`;
  const { site, stop } = await runSite(engine, {
    env: { PORT: String(port), PUBLIC_URL },
    instances: 1,
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    request.get(site.origin + path, { headers, maxRedirects: 0 });
  const behindProxy = { 'x-forwarded-host': new URL(PUBLIC_URL).host };
  expect(urlsIn(await (await get('/', behindProxy)).text())).toMatchObject({
    canonical: `${PUBLIC_URL}/`,
  });
  const robots = await (await get('/robots.txt', behindProxy)).text();
  expect(robots).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`);
  const redirect = await get('/?utm_source=x');
  expect([redirect.status(), redirect.headers().location]).toEqual([
    308,
    `${PUBLIC_URL}/?utm_source=x`,
  ]);
  await stop();
});

test('the files for search engines and phones have their content types', async ({ request }) => {
  for (const [path, type, part] of [
    ['/robots.txt', 'text/plain; charset=utf-8', 'Disallow: /api/'],
    ['/sitemap.xml', 'application/xml; charset=utf-8', '<loc>http'],
    ['/llms.txt', 'text/plain; charset=utf-8', config.services.management.name],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8', config.brand.name],
    ['/favicon.svg', 'image/svg+xml', '<svg'],
    ['/favicon.ico', 'image/x-icon', 'PNG'],
  ] as const) {
    await test.step(path, async () => {
      const response = await request.get(path);
      expect([response.status(), response.headers()['content-type']]).toEqual([200, type]);
      const text = (await response.body()).toString('utf8');
      expect(text).toContain(part);
      expect(text).not.toContain('{{');
    });
  }
});

test('home screen icons have their declared sizes', async ({ request }) => {
  expect(await pictureSize(request, '/apple-touch-icon.png')).toEqual([180, 180]);
  const { icons } = await (await request.get('/manifest.webmanifest')).json();
  expect(icons.length).toBeGreaterThan(1);
  for (const { src, sizes } of icons) {
    expect((await pictureSize(request, src)).join('x')).toBe(sizes);
  }
});

test('/admin, /analytics, booking pages and unknown pages are not indexed', async ({ request }) => {
  for (const path of ['/admin', '/analytics', '/book/strategy-call', '/nowhere']) {
    await test.step(path, async () => {
      const response = await request.get(path);
      expect(response.headers()['x-robots-tag']).toBe('noindex');
      const html = await response.text();
      expect(html).toMatch(/<meta name="robots" content="noindex"/);
      expect(html).not.toMatch(/"og:|ld\+json|canonical/);
    });
  }
});

test('a page requested with capitals and a trailing slash is shown at its exact address', async ({
  page,
}) => {
  await page.goto('/Privacy/?utm_source=a');
  await expect(page).toHaveURL('/privacy?utm_source=a');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy');
});

test('a booking page has the description of its call', async ({ page }) => {
  await page.goto('/book/inbox-review');
  await expect(page.locator('meta[name=description]')).toHaveAttribute(
    'content',
    config.dialogs.inboxReview.text,
  );
});
