/** The request id of an error response is also in the log. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../app/site.ts';
import { readEnv } from '../../env.ts';
import { site as sample } from '../../testing/sample-config.ts';
import { browser, cookieOf } from '../../testing/site.ts';

const lines: { request?: string; call?: string; msg: string }[] = [];
let site: Site;
let origin: string;
let folder: string;
let cookie: string;
const server = createServer((req, res) => site.handler(req, res));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shingle-id-'));
  const log = pino(
    { level: 'error', base: null },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  site = await openSite({
    env: readEnv({ DATA_DIR: folder }),
    pages: {
      of: () => ({
        has: () => false,
        serve: (_req, res) => void res.end('page'),
        fill: (res, _page, status) => void res.writeHead(status).end('page'),
        prepare: async () => {},
        cachedOrigins: () => [],
        alert: () => undefined,
      }),
      preview: async () => ({ fill: () => {} }),
      addWords: async () => {},
    },
    log,
    config: sample,
  });
  const { password } = await site.ensurePassword();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const login = await post('/api/admin/login', {}, { password });
  cookie = cookieOf(login);
  lines.length = 0;
  // From here on nothing can be kept.
  await site.close();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  lines.length = 0;
});

const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
const post = (
  path: string,
  headers: Record<string, string> = {},
  body: string | object = message,
) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { 'user-agent': browser, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('internal error', () => {
  it.each([
    ['the call', '/api/contact', 'application/json', message],
    ['the tRPC call', '/api/trpc/contact.submit', 'application/json', message],
    [
      'the form',
      '/api/contact',
      'application/x-www-form-urlencoded',
      'name=A&email=a%40b.co&message=m',
    ],
  ])(
    'internal error of %s returns the request id of its log line',
    async (_what, path, type, body) => {
      const response = await post(path, { 'content-type': type }, body);
      expect(response.status).toBe(500);
      const id = response.headers.get('x-request-id');
      expect(id).toMatch(/^[\da-f-]{36}$/);
      expect(lines).toEqual([
        expect.objectContaining({ request: id, call: `POST ${path}`, msg: 'request failed' }),
      ]);
    },
  );

  it('internal error before the body of a tRPC call is read does, too', async () => {
    const response = await post('/api/trpc/analytics.importSales', { cookie }, {});
    expect(response.status).toBe(500);
    expect(response.headers.get('x-request-id')).toBe(lines[0]?.request);
    expect(lines).toHaveLength(1);
  });

  it('internal error keeps the request id of a proxy', async () => {
    const response = await post('/api/contact', { 'x-request-id': 'edge_0123-abcd' });
    expect(response.headers.get('x-request-id')).toBe('edge_0123-abcd');
    expect(lines[0]?.request).toBe('edge_0123-abcd');
  });

  it.each(['short', 'x'.repeat(65), 'a b c d e f', '{"level":60}', 'evil;id=1234'])(
    'internal error ignores the invalid request id %j',
    async (brought) => {
      const response = await post('/api/contact', { 'x-request-id': brought });
      expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      expect(JSON.stringify(lines)).not.toContain(brought);
    },
  );

  it('failed readiness check returns the request id of its log line', async () => {
    const response = await fetch(`${origin}/readyz`);
    expect(response.status).toBe(503);
    expect(lines[0]?.request).toBe(response.headers.get('x-request-id'));
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });
});

it('validation error returns no request id', async () => {
  const response = await post('/api/contact', {}, { name: 'A' });
  expect(response.status).toBe(400);
  expect(response.headers.get('x-request-id')).toBeNull();
});
