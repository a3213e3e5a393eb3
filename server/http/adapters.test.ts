/** Both adapters (REST and tRPC) return the same statuses and messages and share their rate limits. */

import { DatabaseSync } from '@photostructure/sqlite';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppRouter } from '../app/router.ts';
import { databaseFile } from '../stores/data-folder.ts';
import { browser, openTestSite, password, signIn, type TestSite } from '../testing/site.ts';
import { sentenceOf } from '../trpc/errors.ts';

const key = '0123456789abcdef';
const hello = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };

let site: TestSite;
let addresses = 0;
/** A new address for each test, so that tests do not share rate limits. */
const someone = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` });

beforeAll(async () => {
  site = await openTestSite({ env: { CONVERSION_KEY: key } });
});
afterAll(() => site.close());

interface CallResult {
  status: number;
  error: string | undefined;
  issues?: unknown;
  retryAfter: string | null;
}

type Call = (
  procedure: string,
  input?: unknown,
  headers?: Record<string, string>,
) => Promise<CallResult>;

const paths: Record<string, string> = {
  'contact.submit': '/api/contact',
  'auth.login': '/api/admin/login',
  'analytics.dashboard': '/api/analytics/dashboard',
  'analytics.record': '/api/activity',
  'analytics.importConversion': '/api/conversions',
};
const isQuery = (procedure: string) => procedure === 'analytics.dashboard';

const rest: Call = async (procedure, input, headers = {}) => {
  const path = paths[procedure] ?? `/api/${procedure.replace('.', '/')}`;
  const query = new URLSearchParams(input as Record<string, string>);
  const response = isQuery(procedure)
    ? await site.fetch(`${path}?${query}`, { headers })
    : await site.post(path, input, headers);
  const text = await response.text();
  const body = text ? JSON.parse(text) : {};
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, error: body.error, issues: body.issues, retryAfter };
};

const native: Call = async (procedure, input, headers = {}) => {
  const path = `/api/trpc/${procedure}`;
  const query = new URLSearchParams({ input: JSON.stringify(input ?? {}) });
  const response = isQuery(procedure)
    ? await site.fetch(`${path}?${query}`, { headers })
    : await site.post(path, input, headers);
  const text = await response.text();
  const { error } = text.startsWith('{') ? JSON.parse(text) : { error: undefined };
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, error: error?.message, issues: error?.data.issues, retryAfter };
};

describe.each([
  ['REST', rest],
  ['native tRPC', native],
])('%s', (_, call) => {
  it('invalid form input returns 400 and names every invalid field', async () => {
    const blank = { name: ' ', email: 'not an address', message: '' };
    expect(await call('contact.submit', blank, someone())).toMatchObject({
      status: 400,
      error: sentenceOf('VALIDATION'),
      issues: [
        { path: 'name', message: 'Please fill in your name.' },
        { path: 'email', message: 'Please enter an e-mail address such as you@example.com.' },
        { path: 'message', message: 'Please fill in your message.' },
      ],
    });
  });

  it.each([[null], [[]], ['text'], [42], [{ ...hello, name: 7 }], [{ ...hello, email: [] }]])(
    'contact.submit returns 400 for input %j',
    async (input) => {
      const response = await call('contact.submit', JSON.stringify(input), someone());
      expect(response).toMatchObject({ status: 400, error: sentenceOf('VALIDATION') });
    },
  );

  it('contact.submit returns 400 when the text contains NUL', async () => {
    const response = await call('contact.submit', { ...hello, message: 'a\0b' }, someone());
    expect(response).toMatchObject({ status: 400, issues: [{ path: 'message' }] });
  });

  it('malformed JSON returns 400', async () => {
    const response = await call('contact.submit', '{"name":', someone());
    expect(response).toMatchObject({ status: 400, error: sentenceOf('MALFORMED_JSON') });
  });

  it.each(['yesterday', '2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', ''])(
    'dashboard returns 400 for the start date %j',
    async (startDate) => {
      const headers = { cookie: await signIn(site, someone()) };
      const response = await call('analytics.dashboard', { startDate }, headers);
      expect(response).toMatchObject({ status: 400, issues: [{ path: 'startDate' }] });
    },
  );

  it('dashboard returns 401 without a session', async () => {
    expect(await call('analytics.dashboard', {}, someone())).toMatchObject({
      status: 401,
      error: 'Unauthorized',
    });
  });

  it('login returns 401 for a wrong password', async () => {
    expect(await call('auth.login', { password: 'wrong' }, someone())).toMatchObject({
      status: 401,
      error: 'Invalid password',
    });
  });

  it('conversion import returns 401 for a wrong key', async () => {
    const sale = { id: 'x', amount: 1, currency: 'usd' };
    const wrong = { ...someone(), authorization: 'Bearer 0123456789abcdeX' };
    expect(await call('analytics.importConversion', sale, wrong)).toMatchObject({
      status: 401,
      error: sentenceOf('INVALID_KEY'),
    });
  });

  it('contact.submit returns 403 for a cross-site request', async () => {
    for (const foreign of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const response = await call('contact.submit', hello, { ...someone(), ...foreign });
      expect(response).toMatchObject({ status: 403, error: sentenceOf('FOREIGN_ORIGIN') });
    }
  });

  it('unknown procedure returns 404', async () => {
    expect(await call('contact.nothing', {}, someone())).toMatchObject({
      status: 404,
      error: sentenceOf('NOT_FOUND'),
    });
  });

  it.each([
    ['contact.submit', 1024 * 1024],
    ['contact.submit', 8_000_000],
    ['analytics.record', 256 * 1024],
    ['auth.login', 256 * 1024],
  ])('%s returns 413 for a body of over %i bytes', async (procedure, size) => {
    const large = { ...hello, message: 'x'.repeat(size) };
    for (let n = 0; n < 3; n++) {
      const response = await call(procedure, large, someone());
      expect(response).toMatchObject({ status: 413, error: sentenceOf('PAYLOAD_TOO_LARGE') });
    }
  });

  it.each(['name', 'company', 'message'])(
    'contact.submit has no length limit for %s',
    async (field) => {
      const long = { ...hello, [field]: '信'.repeat(340_000) };
      expect(await call('contact.submit', long, someone())).toMatchObject({ status: 200 });
    },
  );

  it('contact.submit has no length limit for an email address', async () => {
    const long = { ...hello, email: `${'a'.repeat(1_000_000)}@example.com` };
    expect(await call('contact.submit', long, someone())).toMatchObject({ status: 200 });
  });

  it('contact.submit returns 415 for a body that is not JSON', async () => {
    const headers = { ...someone(), 'content-type': 'text/plain' };
    expect(await call('contact.submit', JSON.stringify(hello), headers)).toMatchObject({
      status: 415,
      error: sentenceOf('UNSUPPORTED_MEDIA_TYPE'),
    });
  });

  it('contact.submit returns 429 with Retry-After above its rate limit', async () => {
    const me = someone();
    for (let n = 0; n < 20; n++) await call('contact.submit', hello, me);
    const refused = await call('contact.submit', hello, me);
    expect(refused).toMatchObject({ status: 429, error: sentenceOf('RATE_LIMITED') });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  });

  it.each([
    'eva@bücher.example/x',
    'eva@bücher@example.com',
    'jürgen@example.com',
    'eva@bü cher.example',
  ])('contact.submit returns 400 for the email address %s, as browsers do', async (email) => {
    expect(await call('contact.submit', { ...hello, email }, someone())).toMatchObject({
      status: 400,
      issues: [{ path: 'email' }],
    });
  });

  it('contact.submit accepts the email addresses that browsers accept', async () => {
    const usual = ['a@b', 'first.last+tag@sub.example.co', "o'brien@example.com"];
    for (const email of [...usual, 'eva@bücher.example', 'EVA@Пример.example']) {
      expect(await call('contact.submit', { ...hello, email }, someone())).toMatchObject({
        status: 200,
      });
    }
  });
});

it.each(['/api/contact', '/api/trpc/contact.submit', '/api/trpc/constructor'])(
  '%s returns 413 for a large chunked body',
  async (path) => {
    const piece = new TextEncoder().encode('x'.repeat(64 * 1024));
    let left = 80;
    const body = new ReadableStream({
      pull(stream) {
        if (left-- > 0) stream.enqueue(piece);
        else stream.close();
      },
    });
    const headers = { 'content-type': 'application/json', ...someone() };
    const init = { method: 'POST', body, headers, duplex: 'half' };
    expect((await site.fetch(path, init as RequestInit)).status).toBe(413);
  },
);

it.each([
  ['application/octet-stream', 'abc'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nA\r\n--x--',
  ],
])('both adapters return 415 for %s', async (type, body) => {
  for (const path of ['/api/contact', '/api/trpc/contact.submit']) {
    const response = await site.post(path, body, { ...someone(), 'content-type': type });
    expect([path, response.status]).toEqual([path, 415]);
    expect(await response.text()).toContain(sentenceOf('UNSUPPORTED_MEDIA_TYPE'));
  }
});

it.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
  'both adapters return 405 for %s',
  async (method) => {
    for (const path of ['/api/contact', '/api/trpc/contact.submit']) {
      const response = await site.fetch(path, { method, headers: someone() });
      expect([path, response.status]).toEqual([path, 405]);
      expect(response.headers.get('allow')).toContain('POST');
    }
  },
);

it('both adapters return 404 for a path that cannot be decoded', async () => {
  for (const path of ['/api/trpc/%', '/api/trpc/%ff.x', '/api/%']) {
    const response = await site.fetch(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).toContain(sentenceOf('NOT_FOUND'));
  }
});

it('login sets its cookies in a streaming batch', async () => {
  const response = await site.post(
    '/api/trpc/auth.login?batch=1',
    { 0: { password } },
    {
      ...someone(),
      'trpc-accept': 'application/jsonl',
    },
  );
  expect(response.headers.getSetCookie()).toHaveLength(3);
});

it('both adapters return 405 with Allow for a wrong method', async () => {
  const wrong = await site.fetch('/api/contact');
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('allow')).toBe('POST');
  expect(await wrong.json()).toEqual({
    error: sentenceOf('METHOD_NOT_ALLOWED'),
    code: 'METHOD_NOT_ALLOWED',
  });

  const mutation = await site.fetch('/api/trpc/contact.submit');
  expect([mutation.status, mutation.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await mutation.json()).error.message).toBe(sentenceOf('METHOD_NOT_ALLOWED'));
  const query = await site.post('/api/trpc/analytics.dashboard', {});
  expect([query.status, query.headers.get('allow')]).toEqual([405, 'GET']);
});

it('both adapters share one rate limit', async () => {
  const me = someone();
  for (let n = 0; n < 10; n++) {
    await rest('contact.submit', hello, me);
    await native('contact.submit', hello, me);
  }
  expect(await rest('contact.submit', hello, me)).toMatchObject({ status: 429 });
  expect(await native('contact.submit', hello, me)).toMatchObject({ status: 429 });
});

it('internal error returns 500 without details', async () => {
  const broken = await openTestSite();
  const database = new DatabaseSync(databaseFile(broken.dataDir), { timeout: 10_000 });
  database.exec('DROP TABLE contact_message');
  database.close();
  const responses = [
    await broken.post('/api/contact', hello),
    await broken.post('/api/trpc/contact.submit', hello),
  ];
  for (const response of responses) {
    const text = await response.text();
    expect([response.status, text.includes(sentenceOf('INTERNAL_ERROR'))]).toEqual([500, true]);
    expect(text).not.toMatch(/contact_message|no such table|stack|node_modules/);
  }
  await broken.close();
});

it('batch of nine calls returns 400', async () => {
  const names = Array<string>(9).fill('contact.submit').join(',');
  const response = await site.post(`/api/trpc/${names}?batch=1`, {}, someone());
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(sentenceOf('BATCH_TOO_LARGE'));
});

it('tRPC client calls procedures and receives their errors', async () => {
  const client = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${site.origin}/api/trpc`,
        headers: { 'user-agent': browser, ...someone() },
      }),
    ],
  });
  await expect(client.contact.submit.mutate(hello)).resolves.toEqual({ ok: true });
  const refused = client.analytics.dashboard.query({});
  await expect(refused).rejects.toBeInstanceOf(TRPCClientError);
  await expect(refused).rejects.toThrow('Unauthorized');
});

it('login succeeds through both adapters', async () => {
  for (const call of [rest, native]) {
    expect(await call('auth.login', { password }, someone())).toMatchObject({ status: 200 });
  }
});

it('unknown path below /api returns 404 as JSON', async () => {
  for (const path of ['/api', '/api/', '/api/nothing', '/api/contact/', '/api/%ff']) {
    const response = await site.fetch(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toEqual({
      error: sentenceOf('NOT_FOUND'),
      code: 'NOT_FOUND',
    });
  }
});

it('conversion import returns 404 without CONVERSION_KEY', async () => {
  const keyless = await openTestSite();
  const sale = { id: 'x', amount: 1, currency: 'usd' };
  const response = await keyless.post('/api/conversions', sale, { authorization: `Bearer ${key}` });
  expect(response.status).toBe(404);
  await keyless.close();
});
