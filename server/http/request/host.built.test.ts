/** Requests without a Host, with two, with a malformed one, and for a host other than PUBLIC_URL. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';
import { requestOf, sendRaw } from '../../testing/wire.ts';
import { sentenceOf } from '../../trpc/errors.ts';
import { createPages, readBuild } from '../pages/pages.ts';

let logged: { msg: string }[];
const log = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) });
beforeEach(() => {
  logged = [];
});

const hello = JSON.stringify({ name: 'Ada', email: 'ada@example.com', message: 'Hello' });
const json = { 'Content-Type': 'application/json' };

describe('without PUBLIC_URL', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await openTestSite({ log });
  });
  afterAll(() => site.close());

  const calls: [string, string, string?][] = [
    ['GET', '/'],
    ['GET', '/?q=secret'],
    ['GET', '/healthz'],
    ['GET', '/api/analytics/dashboard'],
    ['GET', '/api/trpc/analytics.dashboard?input=secret'],
    ['POST', '/api/contact', hello],
    ['POST', '/api/trpc/contact.submit', hello],
  ];
  const ask = (host: string, [method, path, body]: [string, string, string?]) =>
    sendRaw(site.origin, requestOf(method, path, json, body).replace('Host: localhost\r\n', host));

  it.each([
    ['a user in it', 'Host: a@b\r\n'],
    ['a space in it', 'Host: a b\r\n'],
    ['a path in it', 'Host: a/b\r\n'],
    ['a quote in it', 'Host: a"b\r\n'],
    ['bytes beyond ASCII', 'Host: b\xfccher.example\r\n'],
    ['nothing in it', 'Host:\r\n'],
    ['a port above 65535', 'Host: a:99999\r\n'],
    ['an invalid IPv6 address', 'Host: [::::]\r\n'],
    ['an invalid IPv4 address', 'Host: 1.2.3.4.5\r\n'],
    ['300 characters', `Host: ${'a'.repeat(300)}\r\n`],
    ['a second one', 'Host: localhost\r\nHost: localhost\r\n'],
    ['a second one in another case', 'Host: localhost\r\nhOsT: evil.example\r\n'],
    ['no line at all', ''],
  ])('every adapter returns 400 for a Host with %s', async (_, host) => {
    for (const call of calls) {
      const { status, headers, body } = await ask(host, call);
      expect([call, status, JSON.parse(body)]).toEqual([
        call,
        400,
        { error: sentenceOf('INVALID_HOST'), code: 'INVALID_HOST' },
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(logged).toEqual([]);
  });

  it.each([
    'localhost',
    'LOCALHOST:3000',
    'www.example.com.',
    'my_app',
    '127.0.0.1:80',
    '[::1]:80',
  ])('server accepts the Host %s', async (host) => {
    expect((await ask(`Host: ${host}\r\n`, ['GET', '/'])).status).toBe(200);
    expect((await ask(`hoSt:${host}\r\n`, ['POST', '/api/contact', hello])).status).toBe(200);
  });

  it('a forged X-Forwarded-Host changes no address in /robots.txt', async () => {
    const built = await openTestSite({
      pages: createPages(readBuild('dist'), { frames: [], scripts: [] }),
    });
    const robots = await sendRaw(
      built.origin,
      requestOf('GET', '/robots.txt', { 'X-Forwarded-Host': 'evil.example' }),
    );
    expect(robots.headers.get('cache-control')).toContain('public');
    expect(robots.body).toContain('http://localhost/sitemap.xml');
    expect(robots.body).not.toContain('evil.example');
    await built.close();
  });
});

describe.each([undefined, 'https://www.example.com'])('with PUBLIC_URL %s', (PUBLIC_URL) => {
  const METRICS_KEY = 'k'.repeat(16);
  let site: TestSite;
  beforeAll(async () => {
    site = await openTestSite({ env: { METRICS_KEY, ...(PUBLIC_URL && { PUBLIC_URL }) } });
  });
  afterAll(() => site.close());

  const probe = (path: string, version: string, host: string) =>
    sendRaw(
      site.origin,
      requestOf('GET', path, { Authorization: `Bearer ${METRICS_KEY}` })
        .replace('HTTP/1.1', version)
        .replace('Host: localhost\r\n', host),
    );

  it.each(['/healthz', '/readyz', '/metrics'])(
    '%s responds to an HTTP/1.0 probe without Host',
    async (path) => {
      expect((await probe(path, 'HTTP/1.0', '')).status).toBe(200);
      expect((await probe(path, 'HTTP/1.1', '')).status).toBe(400);
      expect((await probe(path, 'HTTP/1.0', 'Host: a@b\r\n')).status).toBe(400);
      expect((await probe('/', 'HTTP/1.0', '')).status).toBe(400);
    },
  );
});

describe('with PUBLIC_URL', () => {
  const PUBLIC_URL = 'https://www.example.com';
  const open = (env: Record<string, string> = {}) =>
    openTestSite({ env: { PUBLIC_URL, TRUST_PROXY: 'off', ...env }, log });
  const ask = ({ origin }: TestSite, Host: string, method: string, path: string, more = {}) =>
    sendRaw(
      origin,
      requestOf(method, path, { ...json, Host, ...more }, method === 'POST' ? hello : ''),
    );
  let site: TestSite;
  beforeAll(async () => {
    site = await open();
  });
  afterAll(() => site.close());

  it.each([
    '/',
    '/?a=b&c',
    '/analytics',
    '/api/checkout?button=hero',
    '/nowhere',
    '//evil.example/x',
    '/%0d%0a',
    '/\\evil.example',
  ])('a page under another host redirects to %s of PUBLIC_URL', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(site, '203.0.113.5', method, path);
      expect([status, headers.get('location')]).toEqual([308, PUBLIC_URL + path]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each([
    ['POST', '/api/contact'],
    ['POST', '/api/trpc/contact.submit'],
    ['POST', '/api/webhooks/stripe'],
    ['GET', '/api/analytics/dashboard'],
    ['POST', '/api/checkout'],
    ['GET', '/%61pi/analytics/dashboard'],
    ['POST', '/'],
    ['DELETE', '/nowhere'],
    ['GET', 'http://evil.example/'],
    ['GET', '*@evil.example/'],
  ])('%s %s under another host returns 421', async (method, path) => {
    const { status, body } = await ask(site, 'example.com', method, path);
    expect([status, JSON.parse(body)]).toEqual([
      421,
      { error: sentenceOf('WRONG_HOST'), code: 'WRONG_HOST' },
    ]);
  });

  it.each(['/healthz', '/readyz'])('%s responds under any host', async (path) => {
    expect((await ask(site, '10.0.0.7:3000', 'GET', path)).status).toBe(200);
  });

  it('/metrics responds under any host', async () => {
    const METRICS_KEY = 'k'.repeat(16);
    const keyed = await open({ METRICS_KEY });
    const headers = { Authorization: `Bearer ${METRICS_KEY}` };
    expect((await ask(keyed, '10.0.0.7:3000', 'GET', '/metrics', headers)).status).toBe(200);
    await keyed.close();
  });

  it.each(['www.example.com', 'WWW.example.COM', 'www.example.com:443'])(
    'a Host of %s is the site’s own',
    async (host) => {
      expect((await ask(site, host, 'GET', '/')).status).toBe(200);
      expect((await ask(site, host, 'POST', '/api/contact')).status).toBe(200);
    },
  );

  const forwardedHost = (host: string) => ({ 'X-Forwarded-Host': host });

  it.each(['1', 'off'])(
    'a proxy that replaces Host and sends X-Forwarded-Host causes no redirect, with TRUST_PROXY=%s',
    async (TRUST_PROXY) => {
      const behind = await open({ TRUST_PROXY });
      for (const host of ['www.example.com', 'www.example.com:443', 'www.example.com, proxy.lan']) {
        const headers = forwardedHost(host);
        expect((await ask(behind, '127.0.0.1', 'GET', '/', headers)).status).toBe(200);
        const sent = await ask(behind, '127.0.0.1', 'POST', '/api/contact', headers);
        expect([sent.status, JSON.parse(sent.body)]).toEqual([200, { ok: true }]);
      }
      const cookie = await signIn(behind, { origin: PUBLIC_URL });
      expect(cookie).toContain('__Host-session');
      await behind.close();
    },
  );

  it('the X-Forwarded-Host of a trusted proxy replaces Host', async () => {
    const behind = await open({ TRUST_PROXY: '1' });
    const get = (where: TestSite, host: string, forwarded: string) =>
      ask(where, host, 'GET', '/', forwardedHost(forwarded));
    const { status, headers } = await get(behind, 'www.example.com', 'evil.example');
    expect([status, headers.get('location')]).toEqual([308, `${PUBLIC_URL}/`]);
    expect((await get(behind, '127.0.0.1', 'a@b')).status).toBe(308);
    expect((await get(site, 'www.example.com', 'evil.example')).status).toBe(200);
    await behind.close();
  });

  it('a proxy that drops the port of PUBLIC_URL from Host causes no redirect', async () => {
    const behind = await open({ PUBLIC_URL: 'http://nas.local:8080' });
    for (const host of ['nas.local', 'NAS.local', 'nas.local:8080', 'nas.local:80']) {
      expect((await ask(behind, host, 'GET', '/')).status).toBe(200);
      expect((await ask(behind, host, 'POST', '/api/contact')).status).toBe(200);
    }
    expect((await ask(behind, 'nas.local:9090', 'GET', '/')).status).toBe(308);
    await behind.close();
  });

  it('the log says once that requests come for another host, unless a proxy passes it', async () => {
    const behind = await open({ TRUST_PROXY: '1' });
    logged = [];
    await ask(behind, '127.0.0.1:3000', 'GET', '/', { 'X-Forwarded-Host': 'example.com' });
    expect(logged).toEqual([]);
    await ask(behind, '127.0.0.1:3000', 'GET', '/');
    await ask(behind, '127.0.0.1:3000', 'POST', '/api/contact');
    expect(logged).toEqual([
      expect.objectContaining({
        msg: 'request for a host other than PUBLIC_URL: make the proxy in front pass Host or X-Forwarded-Host',
        host: '127.0.0.1:3000',
        publicUrl: PUBLIC_URL,
      }),
    ]);
    await behind.close();
  });
});
