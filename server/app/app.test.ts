/** The calls that go past Express are answered byte for byte as through it; settings that miss a proxy are said. */
import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browser, openTestSite, type TestSite } from '../testing/site.ts';
import { codes, sentences } from '../trpc/errors.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

/** A query makes an address that Express answers; without it the call goes past. */
const through = { past: '', express: '?' };

function send(method: string, path: string, body: string, type: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'user-agent': browser,
      connection: 'close',
      ...(body && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    };
    const req = request(site.origin + path, { method, headers }, (res) => {
      let text = '';
      res.on('data', (chunk) => {
        text += chunk;
      });
      res.on('end', () => {
        const lines = res.rawHeaders
          .filter((_, i) => i % 2 === 0)
          .map((name) => {
            const value = name === 'Date' ? '(now)' : res.headers[name.toLowerCase()];
            return `${name}: ${value}`;
          });
        resolve([res.statusCode, ...lines, text].join('\n'));
      });
    });
    req.on('error', reject).end(body);
  });
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
it.each([
  ['GET', '/', '', json],
  ['POST', '/api/activity', '{"type":"page_view"}', json],
  ['POST', '/api/activity', '{"type":"nothing"}', json],
  ['POST', '/api/contact', '{"name":"A","email":"a@b.co","message":"m"}', json],
  ['POST', '/api/contact', '{"name":', json],
  ['POST', '/api/contact', 'x', 'text/plain'],
  ['POST', '/api/contact', 'name=A&email=a%40b.co&message=m', form],
  ['POST', '/api/contact', 'name=A', form],
  ['POST', '/api/admin/login', '{"password":"x"}', json],
])('%s %s with %s', async (method, path, body, type) => {
  const past = await send(method, path + through.past, body, type);
  const express = await send(method, path + through.express, body, type);
  expect(past).toBe(express);
  expect(past).toContain('x-content-type-options');
});

it.each(['/healthz', '/readyz'])('%s answers 405 with Allow to another method', async (path) => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const answer = await site.fetch(path, { method });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([
      method,
      405,
      'GET, HEAD',
    ]);
    expect(await answer.json()).toEqual({ error: sentences.wrongMethod, code: codes.wrongMethod });
  }
  expect((await site.fetch(path, { method: 'HEAD' })).status).toBe(200);
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
  'a proxy that serves https of which PUBLIC_URL does not tell is said once, with %j',
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
])('nothing is said of https with %j and %j', async (env, headers) => {
  expect(await warnings(env as Record<string, string>, headers)).toEqual([]);
});

it('https is believed of a proxy that is trusted, and of nobody else', async () => {
  expect(await warnings({ TRUST_PROXY: 'off' }, https)).toEqual([
    expect.stringMatching(/^request came through a proxy, but TRUST_PROXY is off/),
  ]);
});
