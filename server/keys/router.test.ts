/** API keys on both databases, as the owner manages them and as programs use them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ProcedurePath, routes } from '../contract/routes.ts';
import { type Scope, scopes } from '../contract/scopes.ts';
import { definitionOf } from '../http/openapi/document.ts';
import { engines, openDatabase } from '../testing/engines.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { hourMs, minuteMs } from '../time/units.ts';
import { sentenceOf } from '../trpc/errors.ts';
import type { ApiKey } from './api-keys.ts';

const conversionKey = '0123456789abcdef';
const sale = { id: 'order-1', amount: 4900, currency: 'USD' };

interface Call {
  procedure: ProcedurePath;
  method: string;
  path: string;
}

/** The calls of the API, and who may make them. */
const calls: Call[] = Object.entries(routes).map(([procedure, route]) => ({
  procedure: procedure as ProcedurePath,
  ...route,
}));
const metaOf = ({ procedure }: Call) => definitionOf(procedure).meta;
const onlyForOwner = calls.filter((call) => metaOf(call).session && !metaOf(call).scope);
const forKeys = calls.filter((call) => metaOf(call).scope);

describe.each(engines)('on $name', ({ create }) => {
  let database: Awaited<ReturnType<typeof create>>;
  let site: TestSite;
  let cookie: string;
  let clock = Date.now();
  let addresses = 0;
  const newAddress = () => ({
    'x-forwarded-for': `198.51.${++addresses >> 8}.${addresses & 255}`,
  });

  beforeAll(async () => {
    database = await create();
    const env = { ...database.env, CONVERSION_KEY: conversionKey };
    site = await openTestSite({ env, now: () => clock });
    cookie = await signIn(site, newAddress());
  });
  afterAll(async () => {
    await site.close();
    await database.remove();
  });

  const createKey = async (granted: readonly Scope[] = scopes, name = 'Spreadsheet') => {
    const { password } = site;
    await site.post('/api/admin/confirm', { password }, { cookie, ...newAddress() });
    const response = await site.post('/api/keys', { name, scopes: granted }, { cookie });
    expect(response.status).toBe(200);
    return (await response.json()) as { id: string; key: string };
  };
  const listed = async () => {
    const response = await site.fetch('/api/keys', { headers: { cookie } });
    return ((await response.json()) as { keys: ApiKey[] }).keys;
  };
  /** Calls through REST or tRPC; the result is the same for both. */
  const send = async (
    { procedure, method, path }: Call,
    headers: Record<string, string>,
    { isNative = false, input = {} }: { isNative?: boolean; input?: unknown } = {},
  ) => {
    const url = isNative ? `/api/trpc/${procedure}` : path;
    const response =
      method === 'GET' ? await site.fetch(url, { headers }) : await site.post(url, input, headers);
    const text = await response.text();
    const body = text.startsWith('{') ? JSON.parse(text) : {};
    return {
      status: response.status,
      code: isNative ? body.error?.data.errorCode : body.code,
      error: isNative ? body.error?.message : body.error,
      retryAfter: response.headers.get('retry-after'),
    };
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}`, ...newAddress() });
  const callOf = (name: string) =>
    calls.find(({ procedure }) => procedure === name) ?? expect.unreachable(name);
  const dashboard = callOf('analytics.dashboard');

  it('an API key is shown once, and the database holds only its hash', async () => {
    const { id, key } = await createKey(['read:bookings', 'read:bookings'], 'Zapier');
    expect(key).toMatch(/^shingle_[0-9a-f]{48}$/);
    expect(key.startsWith(id)).toBe(true);
    expect((await listed()).find((one) => one.id === id)).toEqual({
      id,
      name: 'Zapier',
      scopes: ['read:bookings'],
      isInEnvironment: false,
      createdAt: new Date(clock).toISOString(),
      usedAt: null,
    });
    const beside = await openDatabase(database);
    const rows = await beside.read(function* () {
      return yield { kind: 'all', sql: 'SELECT * FROM api_key', values: [] };
    });
    await beside.close();
    expect(JSON.stringify(rows)).toContain(id);
    expect(JSON.stringify([rows, await listed()])).not.toContain(key.slice(id.length));
  });

  it.each([
    [{ name: ' ', scopes: ['read:messages'] }, 'name'],
    [{ name: 'a'.repeat(101), scopes: ['read:messages'] }, 'name'],
    [{ name: 'a', scopes: [] }, 'scopes'],
    [{ name: 'a', scopes: ['write:messages'] }, 'scopes.0'],
  ])('an API key needs a name and scopes: %j', async (input, path) => {
    const response = await site.post('/api/keys', input, { cookie });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ issues: [{ path }] });
  });

  it('CONVERSION_KEY is listed as set in the environment', async () => {
    expect((await listed())[0]).toEqual({
      id: 'CONVERSION_KEY',
      name: 'CONVERSION_KEY',
      scopes: ['write:conversions'],
      createdAt: null,
      usedAt: null,
      isInEnvironment: true,
    });
    const importConversion = callOf('analytics.importConversion');
    expect(await send(importConversion, bearer(conversionKey), { input: sale })).toMatchObject({
      status: 200,
    });
    expect(await send(dashboard, bearer(conversionKey))).toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
    });
  });

  describe.each([
    ['REST', false],
    ['tRPC', true],
  ])('by %s', (_, isNative) => {
    it('an API key may make the calls of its scopes, and no others', async () => {
      for (const scope of scopes) {
        const { key } = await createKey([scope]);
        for (const call of forKeys) {
          const needed = metaOf(call).scope;
          const result = await send(call, bearer(key), { isNative });
          if (needed === scope) {
            const [input] = definitionOf(call.procedure).inputs;
            const isValid = !input || input.safeParse({}).success;
            expect([call.procedure, result.status]).toEqual([call.procedure, isValid ? 200 : 400]);
          } else {
            expect([call.procedure, result]).toMatchObject([
              call.procedure,
              {
                status: 403,
                code: 'INSUFFICIENT_SCOPE',
                error: sentenceOf('INSUFFICIENT_SCOPE').replace('{scope}', needed ?? ''),
              },
            ]);
          }
        }
      }
    });

    it('an API key with every scope cannot make the calls of the owner', async () => {
      const { key } = await createKey();
      for (const call of onlyForOwner) {
        const result = await send(call, { ...bearer(key), cookie }, { isNative });
        expect([call.procedure, result]).toMatchObject([
          call.procedure,
          { status: 403, code: 'SESSION_REQUIRED' },
        ]);
      }
      expect(onlyForOwner.length).toBeGreaterThan(15);
    });

    it('a request with a wrong API key returns 401 although it has the owner’s cookie', async () => {
      const { key } = await createKey();
      for (const wrong of [wrongEnd(key), `${key}0`, `${key} ${key}`, '', withoutPrefix(key)]) {
        for (const call of [dashboard, callOf('keys.list'), callOf('analytics.importConversion')]) {
          const result = await send(call, { ...bearer(wrong), cookie }, { isNative });
          expect(result).toMatchObject({ status: 401, code: 'INVALID_KEY' });
        }
      }
    });

    it('a revoked API key returns 401', async () => {
      const { id, key } = await createKey();
      expect((await send(dashboard, bearer(key), { isNative })).status).toBe(200);
      const revoke = callOf('keys.revoke');
      for (let n = 0; n < 2; n++) {
        const revoked = await send(
          revoke,
          { cookie, ...newAddress() },
          { isNative, input: { id } },
        );
        expect(revoked.status).toBe(200);
      }
      expect(await send(dashboard, bearer(key), { isNative })).toMatchObject({
        status: 401,
        code: 'INVALID_KEY',
      });
    });

    it('wrong API keys are limited to 20 in 10 minutes from one address', async () => {
      const { key } = await createKey();
      const me = newAddress();
      const sendAs = (text: string, call = dashboard) =>
        send(call, { ...bearer(text), ...me }, { isNative, input: sale });
      const importConversion = callOf('analytics.importConversion');
      for (let n = 0; n < 20; n++) expect((await sendAs('wrong')).status).toBe(401);
      // The owner chose CONVERSION_KEY, so it may be guessed; a key made here cannot be.
      for (const text of ['wrong', wrongEnd(key), conversionKey]) {
        const refused = await sendAs(text, importConversion);
        expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
        expect(Number(refused.retryAfter)).toBeGreaterThan(0);
      }
      expect((await sendAs(key)).status).toBe(200);
      const importByConversionKey = { ...bearer(conversionKey), ...newAddress() };
      expect(
        await send(importConversion, importByConversionKey, { isNative, input: sale }),
      ).toMatchObject({ status: 200 });
      clock += 10 * minuteMs;
      expect((await sendAs(conversionKey, importConversion)).status).toBe(200);
    });
  });

  it('an API key makes 600 calls a minute from all addresses together', async () => {
    const { key } = await createKey(['read:messages']);
    const eight = Array<string>(8).fill('contact.unread').join(',');
    for (let n = 0; n < 600 / 8; n++) {
      const batch = await site.fetch(`/api/trpc/${eight}?batch=1`, { headers: bearer(key) });
      expect(batch.status).toBe(200);
    }
    const unread = callOf('contact.unread');
    expect(await send(unread, bearer(key))).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect((await send(unread, bearer((await createKey()).key))).status).toBe(200);
    clock += minuteMs;
    expect((await send(unread, bearer(key))).status).toBe(200);
  });

  it('an API key needs no CSRF check, unlike the owner’s session', async () => {
    const { key } = await createKey();
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };
    expect((await send(dashboard, { ...bearer(key), ...foreign })).status).toBe(200);
    const csv = { ...callOf('contact.messages'), path: '/api/messages.csv' };
    expect((await send(csv, { ...bearer(key), ...foreign })).status).toBe(200);
    expect((await send(csv, { cookie, ...foreign })).status).toBe(403);
    expect(
      await send(callOf('keys.create'), { cookie, ...foreign }, { input: { name: 'a', scopes } }),
    ).toMatchObject({ status: 403, code: 'FOREIGN_ORIGIN' });
  });

  it('an API key reads the files of its scope, and no backup', async () => {
    const { key } = await createKey(['read:analytics']);
    const statusOf = async (path: string) =>
      (await site.fetch(path, { headers: { ...bearer(key), cookie } })).status;
    expect(await statusOf('/api/analytics/sales.csv')).toBe(200);
    expect(await statusOf('/api/messages.csv')).toBe(403);
    expect(await statusOf('/api/backup')).toBe(403);
  });

  it('an API key reads bookings without the addresses at which they are changed, and no names with the figures', async () => {
    const free = await site.fetch('/api/booking/slots?call=strategy-call');
    const { days } = (await free.json()) as { days: { slots: string[] }[] };
    const booked = await site.post(
      '/api/bookings',
      { call: 'strategy-call', start: days[0]?.slots[0], name: 'Ada', email: 'ada@example.com' },
      newAddress(),
    );
    const { url } = (await booked.json()) as { url: string };
    const read = async (headers: Record<string, string>) =>
      (await site.fetch('/api/bookings', { headers })).json();
    const owned = (await read({ cookie })) as { bookings: object[]; feed: string };
    expect(owned).toMatchObject({ bookings: [{ name: 'Ada', url }], feed: expect.any(String) });
    const list = await read(bearer((await createKey(['read:bookings'])).key));
    expect(list).toMatchObject({ bookings: [{ name: 'Ada', email: 'ada@example.com' }] });
    for (const secret of [url, owned.feed]) expect(JSON.stringify(list)).not.toContain(secret);

    const figures = await site.fetch('/api/analytics/dashboard', {
      headers: bearer((await createKey(['read:analytics'])).key),
    });
    expect(await figures.json()).toMatchObject({ calls: { next: [] } });
  });

  it('a request with an API key has no session: it signs nobody out', async () => {
    const { key } = await createKey();
    const response = await site.post('/api/admin/logout', undefined, { ...bearer(key), cookie });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await listed()).length).toBeGreaterThan(0);
  });

  it('the last use of an API key is stored once an hour', async () => {
    const { id, key } = await createKey();
    const usedAt = async () => (await listed()).find((one) => one.id === id)?.usedAt;
    const use = async () => expect((await send(dashboard, bearer(key))).status).toBe(200);
    const first = new Date(clock).toISOString();
    await use();
    await vi.waitFor(async () => expect(await usedAt()).toBe(first));
    clock += hourMs - 1;
    await use();
    expect(await usedAt()).toBe(first);
    clock += 1;
    await use();
    await vi.waitFor(async () => expect(await usedAt()).toBe(new Date(clock).toISOString()));
  });
});

/** The key with another last character. */
const wrongEnd = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

/** The key without its prefix. */
const withoutPrefix = (key: string) => key.replace(/^shingle_/, '');

it('conversion import accepts an API key without CONVERSION_KEY, and is 404 without any key', async () => {
  const site = await openTestSite();
  const cookie = await signIn(site);
  const report = (key: string) =>
    site.post('/api/conversions', sale, { authorization: `Bearer ${key}` });
  expect((await report('x')).status).toBe(404);
  const created = await site.post(
    '/api/keys',
    { name: 'Shop', scopes: ['write:conversions'] },
    { cookie },
  );
  const { id, key } = (await created.json()) as { id: string; key: string };
  expect((await report(key)).status).toBe(200);
  expect((await report('x')).status).toBe(401);
  await site.post('/api/keys/revoke', { id }, { cookie });
  expect((await report(key)).status).toBe(404);
  await site.close();
});
