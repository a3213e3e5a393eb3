/** The probes, and the warnings about settings that do not fit the proxy. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestSite, type TestSite } from '../testing/site.ts';
import { requestOf, sendRaw } from '../testing/wire.ts';
import { sentenceOf } from '../trpc/errors.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

it.each(['/healthz', '/readyz'])('%s returns 405 with Allow for a wrong method', async (path) => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const response = await site.fetch(path, { method });
    expect([method, response.status, response.headers.get('allow')]).toEqual([
      method,
      405,
      'GET, HEAD',
    ]);
    expect(await response.json()).toEqual({
      error: sentenceOf('METHOD_NOT_ALLOWED'),
      code: 'METHOD_NOT_ALLOWED',
    });
  }
  expect((await site.fetch(path, { method: 'HEAD' })).status).toBe(200);
});

it.each([
  [100, 200],
  [101, 431],
  [129, 431],
  [991, 431],
])('request of %i headers returns %i instead of losing headers', async (count, status) => {
  const lines = Array.from({ length: count - 2 }, () => 'b');
  expect((await sendRaw(site.origin, requestOf('GET', '/', { a: lines }))).status).toBe(status);
});

it('absolute URL leads to the not-found page, and is no call', async () => {
  const { body } = await sendRaw(site.origin, requestOf('GET', 'http://localhost/api/messages'));
  expect(body).toContain('page');
});

/** What is warned of while two calls come with these headers. */
async function warnings(env: Record<string, string>, headers: Record<string, string>) {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const proxied = await openTestSite({ env, log });
  try {
    for (const _ of [1, 2]) await proxied.post('/api/activity', { type: 'page_view' }, headers);
    return lines;
  } finally {
    await proxied.close();
  }
}
const https = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };

it.each([[{ TRUST_PROXY: '1' }], [{ TRUST_PROXY: '1', PUBLIC_URL: 'http://www.example.com' }]])(
  'log warns once about an https proxy without an https PUBLIC_URL, with %j',
  async (env) => {
    expect(await warnings(env, https)).toEqual([
      expect.stringMatching(
        /^request came through an https proxy, but PUBLIC_URL is no https address: cookies lack Secure .*PUBLIC_URL=https:/,
      ),
    ]);
  },
);

it.each([
  [{ TRUST_PROXY: '1', PUBLIC_URL: 'https://www.example.com' }, https],
  [{ TRUST_PROXY: '1' }, { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' }],
])('log does not warn about https with %j and %j', async (env, headers) => {
  expect(await warnings(env as Record<string, string>, headers)).toEqual([]);
});

it('log warns about TRUST_PROXY instead of https when the proxy is not trusted', async () => {
  expect(await warnings({ TRUST_PROXY: 'off' }, https)).toEqual([
    expect.stringMatching(/^request came through a proxy, but TRUST_PROXY is off/),
  ]);
});
