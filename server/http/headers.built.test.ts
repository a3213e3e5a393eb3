/** Every kind of answer carries the headers that keep the browser on our side. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browser, openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { requestOf, sendRaw } from '../testing/wire.ts';
import { loadPages } from './pages.ts';

const pages = loadPages('dist', { frames: ['https://calendar.example.com/me'], scripts: [] });
/** One that fails where nothing of ours catches it. */
const failing = {
  ...pages,
  serve: (...[req, res, scene]: Parameters<typeof pages.serve>) => {
    if (req.url === '/fault') throw new Error('A fault of ours.');
    return pages.serve(req, res, scene);
  },
};

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const hello = '{"name":"Ada","email":"ada@example.com","message":"Hello"}';
const foreign = { Origin: 'https://evil.example' };

type Known = { cookie: string; etag: string; asset: string };
type Case = [kind: string, status: number, request: (known: Known) => string];

const cases: Case[] = [
  ['the page', 200, () => requestOf('GET', '/')],
  ['the page through Express', 200, () => requestOf('GET', '/?x')],
  ['the page, asked for its head', 200, () => requestOf('HEAD', '/')],
  ['the page, known already', 304, ({ etag }) => requestOf('GET', '/', { 'If-None-Match': etag })],
  ['the page by another method', 405, () => requestOf('DELETE', '/')],
  ['the login', 200, () => requestOf('GET', '/admin')],
  ['the dashboard', 200, () => requestOf('GET', '/analytics')],
  ['no page', 404, () => requestOf('GET', '/nowhere')],
  ['an address that cannot be decoded', 404, () => requestOf('GET', '/%ff')],
  ['a text for machines', 200, () => requestOf('GET', '/robots.txt')],
  ['a file', 200, ({ asset }) => requestOf('GET', asset)],
  ['a redirect', 302, () => requestOf('GET', '/api/checkout')],
  ['a message', 200, () => requestOf('POST', '/api/contact', json, hello)],
  [
    'a message by a form',
    200,
    () => requestOf('POST', '/api/contact', form, 'name=A&email=a%40b.co&message=m'),
  ],
  ['a form with a mistake', 400, () => requestOf('POST', '/api/contact', form, 'name=A')],
  ['JSON that is none', 400, () => requestOf('POST', '/api/contact', json, '{')],
  ['a view', 204, () => requestOf('POST', '/api/activity', json, '{"type":"page_view"}')],
  ['a wrong password', 401, () => requestOf('POST', '/api/admin/login', json, '{"password":"x"}')],
  ['another site’s call', 403, () => requestOf('POST', '/api/admin/logout', foreign)],
  ['no call', 404, () => requestOf('GET', '/api/nothing')],
  ['a call by another method', 405, () => requestOf('PUT', '/api/contact')],
  ['too large a body', 413, () => requestOf('POST', '/api/contact', json, 'x'.repeat(1_100_000))],
  ['another type', 415, () => requestOf('POST', '/api/contact', { 'Content-Type': 'text/x' }, 'x')],
  ['figures for nobody', 401, () => requestOf('GET', '/api/analytics/dashboard')],
  ['figures', 200, ({ cookie }) => requestOf('GET', '/api/analytics/dashboard', { cookie })],
  ['a CSV file', 200, ({ cookie }) => requestOf('GET', '/api/analytics/sales.csv', { cookie })],
  ['a CSV file for nobody', 401, () => requestOf('GET', '/api/analytics/activity.csv')],
  [
    'a delivery without a signature',
    400,
    () => requestOf('POST', '/api/webhooks/stripe', json, '{}'),
  ],
  ['a sale without a key', 401, () => requestOf('POST', '/api/conversions', json, '{}')],
  ['a native call', 200, () => requestOf('POST', '/api/trpc/auth.logout', json, '{}')],
  ['a native call for nobody', 401, () => requestOf('GET', '/api/trpc/analytics.dashboard')],
  ['no native call', 404, () => requestOf('GET', '/api/trpc/%')],
  ['whether it lives', 200, () => requestOf('GET', '/healthz')],
  ['whether it is ready', 200, () => requestOf('GET', '/readyz')],
  ['a fault of ours', 500, () => requestOf('GET', '/fault')],
  ['a malformed host', 400, () => requestOf('GET', '/', { Host: 'a@b' })],
  ['no host', 400, () => requestOf('GET', '/').replace(/Host: .*\r\n/, '')],
  ['an unknown expectation', 200, () => requestOf('GET', '/', { Expect: 'x' })],
  ['no request at all', 400, () => 'HELLO\r\n\r\n'],
  [
    'more than 100 headers',
    431,
    () => requestOf('GET', '/', { A: Array.from({ length: 101 }, () => 'b') }),
  ],
  ['a head without an end', 431, () => `${requestOf('GET', '/', { Cookie: 'x'.repeat(20_000) })}`],
];

describe.each([
  ['http', {}, 'localhost'],
  ['https', { PUBLIC_URL: 'https://www.example.com' }, 'www.example.com'],
])('over %s', (scheme, settings, host) => {
  let site: TestSite;
  let known: Known;
  let addresses = 0;

  beforeAll(async () => {
    site = await openTestSite({
      pages: failing,
      checkout: 'https://buy.example.com/x',
      env: { ...settings, STRIPE_WEBHOOK_SECRET: 'whsec_x', CONVERSION_KEY: '0123456789abcdef' },
    });
    const page = await sendRaw(site.origin, requestOf('GET', '/', { Host: host }));
    known = {
      cookie: await signIn(site),
      etag: page.headers.get('etag') ?? '',
      asset: /"(\/assets\/[^"]+)"/.exec(page.body)?.[1] ?? '',
    };
  });
  afterAll(() => site.close());

  const ask = (request: string) =>
    sendRaw(
      site.origin,
      request
        .replace('Host: localhost\r\n', `Host: ${host}\r\n`)
        .replace(
          '\r\n',
          `\r\nX-Forwarded-For: 10.0.0.${++addresses}\r\nUser-Agent: ${browser}\r\n`,
        ),
    );

  it.each(cases)('%s (%i)', async (_kind, status, request) => {
    const { headers, raw, ...answer } = await ask(request(known));
    expect(answer.status, raw.slice(0, 300)).toBe(status);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers.get('permissions-policy')).toContain('camera=()');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|\*|http:/);
    for (const name of ['server', 'x-powered-by']) expect(headers.get(name)).toBeNull();
    expect(headers.get('strict-transport-security')?.startsWith('max-age=31536000') ?? false).toBe(
      scheme === 'https',
    );
    const isDocument = policy.includes('script-src');
    const mayBeKept = isDocument || status === 204 || /^GET \/(assets|robots)/.test(request(known));
    if (!mayBeKept) expect(headers.get('cache-control')).toBe('no-store');
  });
});
