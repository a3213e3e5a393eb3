/** Every kind of response has the security headers. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleWith } from '../testing/sample-config.ts';
import { browser, openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { requestOf, sendRaw } from '../testing/wire.ts';
import { createPages, readBuild } from './pages/pages.ts';

const pages = createPages(readBuild('dist'), {
  frames: ['https://calendar.example.com/me'],
  scripts: [],
});
/** Pages that throw at one path. */
const failing = {
  ...pages,
  serve: (...[req, res, context]: Parameters<typeof pages.serve>) => {
    if (req.url === '/fault') throw new Error('internal');
    return pages.serve(req, res, context);
  },
};

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const hello = '{"name":"Ada","email":"ada@example.com","message":"Hello"}';
const foreign = { Origin: 'https://evil.example' };

/** Requests for files that other sites may show. */
const publicFile = /^GET \/(assets|robots)/;

type Known = { cookie: string; etag: string; asset: string };
type Case = [kind: string, status: number, request: (known: Known) => string];

const cases: Case[] = [
  ['the page', 200, () => requestOf('GET', '/')],
  ['the page with a query', 200, () => requestOf('GET', '/?x')],
  ['HEAD of the page', 200, () => requestOf('HEAD', '/')],
  ['the page with its ETag', 304, ({ etag }) => requestOf('GET', '/', { 'If-None-Match': etag })],
  ['the page with a wrong method', 405, () => requestOf('DELETE', '/')],
  ['the login', 200, () => requestOf('GET', '/admin')],
  ['the app', 200, () => requestOf('GET', '/analytics')],
  ['an unknown page', 404, () => requestOf('GET', '/nowhere')],
  ['a path that cannot be decoded', 404, () => requestOf('GET', '/%ff')],
  ['a text file for crawlers', 200, () => requestOf('GET', '/robots.txt')],
  ['a file', 200, ({ asset }) => requestOf('GET', asset)],
  ['a redirect', 302, () => requestOf('GET', '/api/checkout')],
  ['a message', 200, () => requestOf('POST', '/api/contact', json, hello)],
  [
    'a message as a form post',
    200,
    () => requestOf('POST', '/api/contact', form, 'name=A&email=a%40b.co&message=m'),
  ],
  ['an invalid form post', 400, () => requestOf('POST', '/api/contact', form, 'name=A')],
  ['malformed JSON', 400, () => requestOf('POST', '/api/contact', json, '{')],
  ['a page view', 204, () => requestOf('POST', '/api/activity', json, '{"type":"page_view"}')],
  ['a wrong password', 401, () => requestOf('POST', '/api/admin/login', json, '{"password":"x"}')],
  ['a cross-site call', 403, () => requestOf('POST', '/api/admin/logout', foreign)],
  ['an unknown call', 404, () => requestOf('GET', '/api/nothing')],
  ['a call with a wrong method', 405, () => requestOf('PUT', '/api/contact')],
  [
    'a body that is too large',
    413,
    () => requestOf('POST', '/api/contact', json, 'x'.repeat(1_100_000)),
  ],
  [
    'an unsupported media type',
    415,
    () => requestOf('POST', '/api/contact', { 'Content-Type': 'text/x' }, 'x'),
  ],
  ['the dashboard without a session', 401, () => requestOf('GET', '/api/analytics/dashboard')],
  ['the dashboard', 200, ({ cookie }) => requestOf('GET', '/api/analytics/dashboard', { cookie })],
  ['a CSV file', 200, ({ cookie }) => requestOf('GET', '/api/analytics/sales.csv', { cookie })],
  ['a CSV file without a session', 401, () => requestOf('GET', '/api/analytics/activity.csv')],
  [
    'a webhook without a signature',
    400,
    () => requestOf('POST', '/api/webhooks/stripe', json, '{}'),
  ],
  ['a sale without a key', 401, () => requestOf('POST', '/api/conversions', json, '{}')],
  ['a tRPC call', 200, () => requestOf('POST', '/api/trpc/auth.logout', json, '{}')],
  ['a tRPC call without a session', 401, () => requestOf('GET', '/api/trpc/analytics.dashboard')],
  ['an unknown tRPC call', 404, () => requestOf('GET', '/api/trpc/%')],
  ['the health check', 200, () => requestOf('GET', '/healthz')],
  ['the readiness check', 200, () => requestOf('GET', '/readyz')],
  ['an internal error', 500, () => requestOf('GET', '/fault')],
  ['a malformed host', 400, () => requestOf('GET', '/', { Host: 'a@b' })],
  ['a missing host', 400, () => requestOf('GET', '/').replace(/Host: .*\r\n/, '')],
  ['an unknown Expect header', 200, () => requestOf('GET', '/', { Expect: 'x' })],
  ['a malformed request', 400, () => 'HELLO\r\n\r\n'],
  [
    'more than 100 headers',
    431,
    () => requestOf('GET', '/', { A: Array.from({ length: 101 }, () => 'b') }),
  ],
  [
    'headers that are too large',
    431,
    () => `${requestOf('GET', '/', { Cookie: 'x'.repeat(20_000) })}`,
  ],
];

describe.each([
  ['http', {}, 'localhost'],
  ['https', { PUBLIC_URL: 'https://www.example.com' }, 'www.example.com'],
])('security headers over %s', (scheme, settings, host) => {
  let site: TestSite;
  let known: Known;
  let addresses = 0;

  beforeAll(async () => {
    site = await openTestSite({
      pages: failing,
      config: sampleWith({ links: { checkout: 'https://buy.example.com/x' } }),
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

  it.each(cases)('%s (%i) has the security headers', async (_kind, status, request) => {
    const sent = request(known);
    const { headers, raw, ...response } = await ask(sent);
    expect(response.status, raw.slice(0, 300)).toBe(status);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': publicFile.test(sent) ? 'cross-origin' : 'same-origin',
    });
    expect(headers.get('permissions-policy')).toContain('camera=()');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|\*|http:/);
    for (const name of ['server', 'x-powered-by']) expect(headers.get(name)).toBeNull();
    expect(headers.get('strict-transport-security')).toBe(
      scheme === 'https' ? 'max-age=31536000' : null,
    );
    const isDocument = policy.includes('script-src');
    const mayBeKept = isDocument || status === 204 || publicFile.test(sent);
    if (!mayBeKept) expect(headers.get('cache-control')).toBe('no-store');
  });
});
