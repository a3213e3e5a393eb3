import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browser,
  cookieOf,
  openTestSite,
  password,
  signIn,
  type TestSite,
} from '../testing/site.ts';
import { requestOf, sendRaw } from '../testing/wire.ts';
import { createPages, readBuild } from './pages/pages.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ env: { TRUST_PROXY: 'off' } });
});
afterAll(() => site.close());

/** Asks as a monitoring program on this machine would, and says no more than that. */
function scrape(headers: Record<string, string> = {}, method = 'GET', { origin } = site) {
  return new Promise<{
    status: number | undefined;
    allow: string | undefined;
    text: string;
  }>((resolve, reject) => {
    const req = request(`${origin}/metrics`, { method, headers }, (res) => {
      let text = '';
      res.on('data', (chunk) => {
        text += chunk;
      });
      const { allow } = res.headers;
      res.on('end', () => resolve({ status: res.statusCode, allow, text }));
    });
    req.on('error', reject).end();
  });
}

const numberOf = (text: string, name: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );

describe('/metrics', () => {
  // The pages of this test return one page for every path, also to clients without access to the metrics.
  const noMetrics = 'page';

  it('metrics are available to a program on this machine', async () => {
    const { status, text } = await scrape();
    expect(status).toBe(200);
    expect(text).toContain('# TYPE shingle_request_duration_seconds histogram\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it.each([
    ['a proxy on the same machine', { 'x-forwarded-for': '203.0.113.7' }],
    ['one that speaks of hops otherwise', { forwarded: 'for=203.0.113.7' }],
    ['one that names the visitor', { 'x-real-ip': '203.0.113.7' }],
    ['one that only says what it is', { via: '1.1 proxy' }],
    ['one in the cloud', { 'cf-connecting-ip': '203.0.113.7' }],
    ['one that passes the name of the site on', { host: 'www.example.com' }],
    ['a page in a browser here', { origin: 'http://localhost:3000' }],
    ['a browser here', { 'sec-fetch-site': 'none' }],
    ['somebody with a made-up session', { cookie: 'session=x', host: 'www.example.com' }],
  ])('metrics are not found for %s', async (_who, headers) => {
    expect((await scrape(headers as Record<string, string>)).text).toBe(noMetrics);
  });

  it('metrics are not found for a proxy that uses HTTP/1.0', async () => {
    const { port } = new URL(site.origin);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1');
      let read = '';
      socket.on('data', (chunk) => {
        read += chunk;
      });
      socket.on('close', () => resolve(read));
      socket.end('GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n');
    });
    expect(text).toMatch(/\r\n\r\npage$/);
  });

  it('metrics return 405 with Allow for a wrong method, and are not found for a stranger', async () => {
    const response = await scrape({}, 'POST');
    expect([response.status, response.allow]).toEqual([405, 'GET, HEAD']);
    expect((await scrape({ host: 'www.example.com' }, 'POST')).text).toBe(noMetrics);
  });

  it('metrics are available to the signed-in owner from anywhere', async () => {
    const cookie = await signIn(site, { 'x-forwarded-for': '203.0.113.9' });
    const { status, text } = await scrape({ cookie, 'x-forwarded-for': '203.0.113.9' });
    expect(status).toBe(200);
    expect(text).toContain('shingle_requests_total');
  });

  it.each([
    { PUBLIC_URL: 'https://www.example.com', TRUST_PROXY: 'off' },
    { TRUST_PROXY: '1' },
    { TRUST_PROXY: 'off', METRICS_KEY: 'k'.repeat(16) },
  ])('metrics are not found for a program on this machine without a key, with %j', async (env) => {
    const guarded = await openTestSite({ env });
    const said = (headers = {}) =>
      scrape({ host: 'localhost', ...headers }, 'GET', guarded).then(({ text }) => text);
    try {
      expect(await said()).toBe(noMetrics);
      expect(await said({ authorization: 'Bearer undefined' })).toBe(noMetrics);
      const headers = { Host: 'www.example.com', 'Content-Type': 'application/json' };
      const login = requestOf('POST', '/api/admin/login', headers, JSON.stringify({ password }));
      const cookie = cookieOf(new Response(null, await sendRaw(guarded.origin, login)));
      expect(await said({ cookie })).toContain('shingle_requests_total');
    } finally {
      await guarded.close();
    }
  });

  it('metrics return the same not-found page for an expired session as for a stranger', async () => {
    const built = await openTestSite({
      pages: createPages(readBuild('dist'), { frames: [], scripts: [] }),
    });
    const cookie = await signIn(built);
    await built.post('/api/admin/logout', undefined, { cookie });
    const ask = async (headers: Record<string, string>) => {
      const response = await built.fetch('/metrics', { headers });
      const { date, ...rest } = Object.fromEntries(response.headers);
      return { status: response.status, headers: rest, html: await response.text() };
    };
    const stranger = await ask({});
    expect(stranger.status).toBe(404);
    expect(stranger.headers['content-security-policy']).toContain("style-src 'self' 'sha256-");
    expect(await ask({ cookie })).toEqual(stranger);
    await built.close();
  });

  it('metrics require the exact key', async () => {
    const key = '0123456789abcdef';
    const elsewhere = { host: 'www.example.com', 'x-forwarded-for': '203.0.113.7' };
    const guarded = await openTestSite({ env: { METRICS_KEY: key } });
    const said = (authorization: string) =>
      scrape({ authorization, ...elsewhere }, 'GET', guarded).then(({ text }) => text);
    try {
      expect(await said(`Bearer ${key}`)).toContain('shingle_requests_total');
      for (const wrong of [`Bearer ${key}0`, 'Bearer 0', `Basic ${key}`, key, '']) {
        expect(await said(wrong), wrong).toBe(noMetrics);
      }
    } finally {
      await guarded.close();
    }
  });

  it('wrong keys for the metrics are limited to 20 in 10 minutes from one address, with wrong API keys', async () => {
    const key = '0123456789abcdef';
    let now = Date.now();
    const guarded = await openTestSite({ env: { METRICS_KEY: key }, now: () => now });
    const answerTo = async (path: string, bearer: string, address = '203.0.113.7') => {
      const headers = { authorization: `Bearer ${bearer}`, 'x-forwarded-for': address };
      const response = await guarded.fetch(path, { headers });
      return (await response.text()).includes('shingle_') ? 'metrics' : response.status;
    };
    try {
      expect(await answerTo('/api/analytics/dashboard', 'wrong')).toBe(401);
      for (let n = 0; n < 19; n++) expect(await answerTo('/metrics', `wrong ${n}`)).toBe(200);
      for (const bearer of ['wrong', key]) expect(await answerTo('/metrics', bearer)).toBe(429);
      expect(await answerTo('/metrics', key, '203.0.113.8')).toBe('metrics');
      now += 10 * 60_000;
      expect(await answerTo('/metrics', key)).toBe('metrics');
    } finally {
      await guarded.close();
    }
  });

  it('metrics count requests by group and status, commits and rejected sign-ins', async () => {
    const before = (await scrape()).text;
    const me = { 'x-forwarded-for': '203.0.113.20' };
    await site.post('/api/contact', { name: 'A', email: 'a@b.co', message: 'm' }, me);
    await site.post('/api/contact', { name: 'A' }, me);
    await site.post('/api/activity', { type: 'page_view' }, { ...me, 'user-agent': browser });
    await site.post('/api/admin/login', { password: 'wrong' }, me);
    await site.post('/api/trpc/auth.login', { password: 'wrong' }, me);
    const after = (await scrape()).text;
    const gained = (name: string) => numberOf(after, name) - (numberOf(before, name) || 0);
    const requests = (group: string, status: number) =>
      gained(`shingle_requests_total{group="${group}",status="${status}"}`);
    expect(requests('contact', 200)).toBe(1);
    expect(requests('contact', 400)).toBe(1);
    expect(requests('activity', 204)).toBe(1);
    expect(requests('login', 401)).toBe(1);
    expect(requests('native', 401)).toBe(1);
    expect(gained('shingle_request_duration_seconds_count{group="contact"}')).toBe(2);
    expect(gained('shingle_sign_ins_refused_total')).toBe(2);
    expect(gained('shingle_commits_total')).toBeGreaterThan(0);
    expect(gained('shingle_writes_total')).toBeGreaterThanOrEqual(gained('shingle_commits_total'));
    expect(numberOf(after, 'shingle_writes_waiting')).toBe(0);
  });

  it('metrics have histograms whose buckets add up', async () => {
    const { text } = await scrape();
    const classes = [
      ...text.matchAll(
        /^shingle_request_duration_seconds_bucket\{le="[^"]+",group="probe"\} (\d+)$/gm,
      ),
    ].map(([, n]) => Number(n));
    expect(classes.length).toBe(8);
    expect([...classes].sort((a, b) => a - b)).toEqual(classes);
    expect(classes.at(-1)).toBe(
      numberOf(text, 'shingle_request_duration_seconds_count{group="probe"}'),
    );
  });
});
