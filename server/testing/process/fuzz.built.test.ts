/**
 * Sends random requests to every adapter, on both databases: no response is a 5xx or contains internal
 * details, and the server keeps running. Each run prints its seed.
 *
 *     FUZZ_REQUESTS=50000 npx vitest run server/testing/process/fuzz.built.test.ts                 that many on each database
 *     FUZZ_REQUESTS=50000 FUZZ_SEED=123 npx vitest run server/testing/process/fuzz.built.test.ts   repeats a run
 */

import { createHmac, randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ProcedurePath, routes } from '../../contract/routes.ts';
import { scopes } from '../../contract/scopes.ts';
import { definitionOf } from '../../http/openapi/document.ts';
import { documents } from '../../http/pages/documents.ts';
import { createPages, readBuild } from '../../http/pages/pages.ts';
import { databaseFile } from '../../stores/data-folder.ts';
import { anyText } from '../any-text.ts';
import { engines } from '../engines.ts';
import { sampleWith } from '../sample-config.ts';
import { browser, openTestSite, signIn, type TestSite } from '../site.ts';
import { requestOf, sendRaw, type WireHeaders } from '../wire.ts';

const { FUZZ_REQUESTS, FUZZ_SEED, TEST_LONG } = process.env;
const isLong = FUZZ_REQUESTS !== undefined || Boolean(TEST_LONG);
const requests = Number(FUZZ_REQUESTS ?? (TEST_LONG ? 20_000 : 500));
/** A short run has a fixed seed, so that it fails only when the code changes. */
const seed = Number(FUZZ_SEED ?? (isLong ? randomInt(2 ** 31) : 20261122));
/** Number of concurrent requests. */
const together = 10;

const key = '0123456789abcdef';
const ownHost = 'www.example.com';
const secret = 'whsec_3kF9tQ0aZ7xLm2Vd';

let site: TestSite;
let cookie: string;
let apiKey: string;
let clock = Date.now();

const word = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    ...['', '\0', '\ud800', '__proto__', 'constructor', 'toString', '{{name}}', '%', '%00', '..'],
    ...["'; DROP TABLE event; --", '<script>', 'a@b.co', 'USD', 'Europe/Berlin', '\r\nX-Evil: 1'],
    ...['page_view', 'sale', 'cta_click', 'call_booked', 'hero', '1', '-1', '1e999', 'NaN', 'null'],
    ...['2026-11-21T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999+14:00'],
    ...['+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', '2026-02-30T00:00:00Z'],
  ),
  fc.integer({ min: 1, max: 5000 }).map((n) => 'x'.repeat(n)),
);

const value = fc.oneof(
  word,
  fc.integer(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(Number),
  fc.constantFrom(null, true, false, 0, -0, 2 ** 53, 2 ** 63, 1e308, [], {}),
  fc.jsonValue(),
);

const fields = [
  ...['name', 'email', 'company', 'message', 'password', 'type', 'button', 'search', 'referrer'],
  ...['automated', 'privacy', 'id', 'amount', 'currency', 'source', 'timestamp', 'refunded'],
  ...[
    'disputed',
    'first_source',
    'startDate',
    'asOf',
    'timeZone',
    'kind',
    'after',
    'data',
    'object',
  ],
  ...['first', 'last', 'utm_source', 'input', 'batch', '0', 'json', '__proto__', 'then', 'toJSON'],
];
const record = fc.dictionary(fc.oneof(fc.constantFrom(...fields), word), value, { maxKeys: 8 });

const nearly = fc
  .tuple(
    fc.constantFrom<Record<string, unknown>>(
      { name: 'Ada', email: 'a@b.co', company: 'C', message: 'Hello' },
      { startDate: '2026-11-01T00:00:00Z', asOf: '2026-11-21T00:00:00Z', kind: 'sale' },
      { first: '?utm_source=a', last: 'https://b.co', button: 'audit' },
      eventOf('charge.refunded', {}),
      eventOf('payment_intent.succeeded', { id: 'pi_1', amount_received: 1, currency: 'usd' }),
      eventOf('checkout.session.completed', { id: 'cs_1', payment_intent: 'pi_1' }),
    ),
    fc.option(fc.tuple(fc.constantFrom(...fields), value), { freq: 3 }),
  )
  .map(([right, change]) => (change ? { ...right, [change[0]]: change[1] } : right));

function eventOf(type: string, object: Record<string, unknown>) {
  return { id: `evt_${type}`, type, created: 1_790_000_000, livemode: false, data: { object } };
}

const json = fc
  .oneof({ weight: 4, arbitrary: nearly }, { weight: 3, arbitrary: record }, value)
  .map((input) => JSON.stringify(input) ?? 'null');
const depth = fc.integer({ min: 1, max: 20_000 }).map((n) => '['.repeat(n));
const form = fc.oneof(nearly, record).map(formOf);
const body = fc.oneof(
  { weight: 6, arbitrary: json },
  { weight: 2, arbitrary: form },
  { weight: 1, arbitrary: depth },
  { weight: 1, arbitrary: word },
);

const native = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...Object.keys(routes)) }, word), {
    minLength: 1,
    maxLength: 10,
  })
  .map((names) => `/api/trpc/${names.map(encoded).join(',')}`);
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Object.values(routes).map((route) => route.path)) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...Object.keys(routes)).map((name) => `/api/trpc/${name}`),
  },
  { weight: 3, arbitrary: native },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['/api/analytics/sales.csv', '/api/analytics/activity.csv', '/api/webhooks/stripe'],
      ...['/api/checkout', '/healthz', '/readyz', '/api', '/api/', '//', '/.', '/assets/', '/%'],
      ...Object.keys(documents),
    ),
  },
  { weight: 2, arbitrary: word.map((text) => `/${encoded(text)}`) },
  { weight: 1, arbitrary: word.map((text) => `/api/${encoded(text)}`) },
);
const query = fc.oneof(
  form,
  json.map((text) => `input=${encoded(text)}`),
  json.map((text) => `batch=1&input=${encoded(`{"0":${text}}`)}`),
  word.map(encoded),
  fc.constant(''),
);

/** Replaced by an API key with every scope, which does not exist yet. */
const validKey = 'VALID-KEY';

/** Valid and invalid header values. */
const text = word.map((one) => one.replace(/[\r\n]/g, '').slice(0, 500));
const header = fc.oneof(
  of(
    'Content-Type',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
  ),
  of('Origin', 'null', `http://${ownHost}`, 'https://evil.example'),
  of('Sec-Fetch-Site', 'same-origin', 'none', 'cross-site'),
  of('Referer', 'https://a.co/', `http://${ownHost}/?ref=x`, '//'),
  of(
    'Authorization',
    ...[`Bearer ${key}`, `Bearer ${key}`, `Bearer ${validKey}`, `Bearer ${validKey}`],
    ...[`Bearer shingle_${'0'.repeat(48)}`, 'Bearer x', 'Basic eDp4'],
  ),
  of('Accept-Encoding', 'br', 'gzip;q=0', ' '.repeat(400)),
  of('If-None-Match', '*', '"x", W/"y"'),
  of('Sec-Purpose', 'prefetch'),
  of('trpc-accept', 'application/jsonl'),
  of('X-Forwarded-Proto', 'https'),
  of('X-Forwarded-Host', ownHost, 'evil.example'),
  of('Expect', '100-continue'),
  of('User-Agent', browser, 'bot'),
);
const headers = fc
  .array(header, { maxLength: 2 })
  .map((pairs) => ({ 'Content-Type': 'application/json', ...Object.fromEntries(pairs) }));

function of(name: string, ...usual: string[]) {
  return fc
    .oneof({ weight: 5, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: text })
    .map((held): [string, string] => [name, held]);
}

const who = fc.oneof(
  { weight: 4, arbitrary: fc.constant('owner' as const) },
  { weight: 2, arbitrary: fc.constant('nobody' as const) },
  { weight: 1, arbitrary: text },
);
const address = fc.oneof(
  { weight: 9, arbitrary: fc.oneof(fc.ipV4(), fc.ipV6()) },
  { weight: 1, arbitrary: text },
);
/** Mostly the site's own origin, so that requests pass the origin check. */
const host = fc.oneof(
  { weight: 12, arbitrary: fc.constant<string | string[]>(ownHost) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<string | string[]>(
      ...[
        '',
        ' ',
        'a@b',
        'a b',
        'a/b',
        'a"b',
        'a:b',
        'a:99999',
        ':80',
        '[',
        '[::1',
        '[::::]',
        '[::1]',
      ],
      ...['1.2.3.4.5', '0x7f.1', 'xn--a', '\0', 'a\0b', 'a%00b', '%', '..', 'A'.repeat(254)],
      ...['a'.repeat(14_000), 'localhost:3000', 'LOCALHOST', 'evil.example', '_', '-', '*'],
      [ownHost, ownHost],
      [ownHost, 'evil.example'],
      [],
    ),
  },
  { weight: 1, arbitrary: text },
);

/** A valid, missing or malformed signature of the body. */
const signature = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<'right' | 'twice' | 'none'>('right', 'twice', 'none') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '',
        ' ',
        't=1,v1=',
        't=,v1=',
        't=NOW,v1=',
        't=NOW,v1=00',
        't=NOW',
        'v1=00',
        't=NOW,v1',
        '=',
        ',',
      ],
      ...[
        't=NaN,v1=00',
        't=-1,v1=00',
        't=1e999,v1=00',
        't=NOW,v1=\0',
        't=NOW,v1=zz',
        't=NOW,v0=00',
      ],
      ...['t=NOW,v1=\u00e9', `t=NOW,v1=${'00'.repeat(32)}`, `t=NOW${',v1=00'.repeat(2000)}`],
      `t=NOW,v1=${'0'.repeat(15_000)}`,
    ),
  },
  { weight: 1, arbitrary: text },
);

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'X'),
  },
);

/** Values of fields whose type is not enough, of one procedure or of all; undefined leaves the field out. */
const fieldValues: Record<string, unknown> = {
  address: 'https://127.0.0.1/',
  after: undefined,
  asOf: '2026-11-21T00:00:00Z',
  as_of: '2026-11-21T00:00:00Z',
  button: 'hero',
  cancel: undefined,
  // A fuzz calls no other server.
  'connections.set.name': 'busyCalendars',
  'connections.set.value': { remove: 'a' },
  currency: 'USD',
  date: '2026-11-25',
  email: 'a@b.co',
  kind: 'sale',
  newPassword: 'plum tractor seldom violet',
  options: undefined,
  paths: undefined,
  patches: [{ path: 'hero.title', from: 'a', to: 'b' }],
  referrer: 'https://a.co/',
  search: '?utm_source=x',
  source: 'podcast',
  start: '2026-11-25T10:00:00Z',
  startDate: '2026-11-01T00:00:00Z',
  text: 'id,amount,currency\na,1,USD\n',
  timeZone: 'Europe/Berlin',
  timestamp: '2026-11-21T00:00:00Z',
  token: 'x.y',
  until: '1970-01-01T00:00:00Z',
  'auth.log.before': undefined,
  'analytics.record.automated': false,
  'analytics.record.privacy': false,
  'booking.block.from': '09:00',
  'booking.block.to': '13:00',
  'booking.list.after': '1 a',
  'booking.slots.from': '2026-11-25',
  'site.versions.before': '3',
};

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  minimum?: number;
  items?: Schema;
  prefixItems?: Schema[];
}

/** A value of this schema; undefined where it accepts anything. */
function sampleOf({ type, anyOf, items, prefixItems, ...schema }: Schema): unknown {
  if (anyOf?.[0]) return sampleOf(anyOf[0]);
  if (schema.const ?? schema.enum) return schema.const ?? schema.enum?.[0];
  switch ([type].flat()[0]) {
    case 'string':
      return 'a';
    case 'boolean':
      return true;
    case 'integer':
      return schema.minimum ?? 0;
    case 'array':
      // The items differ: two sales in doubt have two ids.
      return (prefixItems ?? [items ?? {}]).map((item, i) => (i === 0 ? sampleOf(item) : `${i}`));
  }
}

/** A valid input of a procedure with nearly all of its fields, from its schema. */
function rightInputOf(procedure: ProcedurePath): Record<string, unknown> {
  const [schema = z.object({})] = definitionOf(procedure).inputs;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  // The kinds of an input have the same fields.
  const { properties } = json.oneOf?.[0] ?? json;
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([field, one]) => {
      const key = [`${procedure}.${field}`, field].find((name) => name in fieldValues);
      const right = key ? fieldValues[key] : sampleOf(one);
      return right === undefined ? [] : [[field, right]];
    }),
  );
}

const procedures = Object.keys(routes) as ProcedurePath[];

it.each(procedures)('%s accepts its input, made from its schema', (procedure) => {
  const [schema = z.object({})] = definitionOf(procedure).inputs;
  const { error } = schema.safeParse(rightInputOf(procedure));
  expect(error?.issues ?? [], 'Give the fields with issues a value in fieldValues.').toEqual([]);
});

/** A valid call with at most one invalid field, which purely random calls rarely produce. */
const aimed = fc
  .record({
    procedure: fc.constantFrom(...procedures),
    change: fc.option(fc.tuple(fc.nat(), value), { freq: 2 }),
    isNative: fc.boolean(),
  })
  .map(({ procedure, change, isNative }) => {
    const { method, path } = routes[procedure];
    const input = rightInputOf(procedure);
    const names = Object.keys(input);
    const name = change && names[change[0] % names.length];
    if (name) input[name] = change[1];
    const body = JSON.stringify(input);
    const query = isNative ? `input=${encoded(body)}` : formOf(input);
    return { method, path: isNative ? `/api/trpc/${procedure}` : path, query, body };
  });
const random = fc.record({ method, path, query, body });
/** The two endpoints that are not procedures. */
const delivery = fc.record({
  method: fc.constant('POST'),
  path: fc.constant('/api/webhooks/stripe'),
  query: fc.constant(''),
  body,
});
const checkout = fc.record({
  method: fc.constant('GET'),
  path: fc.constant('/api/checkout'),
  query,
  body: fc.constant(''),
});

/** The only call that responds with 204. */
const beacon = fc.record({
  method: fc.constant('POST'),
  path: fc.constant(routes['analytics.record'].path),
  query: fc.constant(''),
  body: fc.constant(JSON.stringify(rightInputOf('analytics.record'))),
});

const request = fc.record({
  call: fc.oneof(
    { weight: 5, arbitrary: aimed },
    { weight: 5, arbitrary: random },
    { weight: 1, arbitrary: delivery },
    { weight: 1, arbitrary: checkout },
    { weight: 1, arbitrary: beacon },
  ),
  headers,
  who,
  address,
  host,
  signature,
});
type Sent = typeof request extends fc.Arbitrary<infer One> ? One : never;

function formOf(input: Record<string, unknown>): string {
  const pairs = Object.entries(input);
  return pairs.map((pair) => pair.map((part) => encoded(textOf(part))).join('=')).join('&');
}

/** Converts to text; objects without a prototype have no `toString`. */
const textOf = (part: unknown) => (typeof part === 'object' ? JSON.stringify(part) : String(part));

/** Encodes for a URL, where a lone surrogate would throw. */
function encoded(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}

function bytesOf({
  call: { method, path, query, body },
  headers,
  who,
  address,
  host,
  signature,
}: Sent): string {
  const at = Math.floor(clock / 1000);
  const right = `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
  const signatures: Record<string, string[]> = { none: [], right: [right], twice: [right, right] };
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return requestOf(
    method,
    query && !hasBody ? `${path}?${query}` : path,
    {
      Host: host,
      ...headers,
      ...(who !== 'nobody' && {
        Cookie: who === 'owner' ? cookie : `session=${who}; device=${who}`,
      }),
      'Stripe-Signature': signatures[signature] ?? signature.replace('NOW', String(at)),
      'X-Forwarded-For': address,
    } satisfies WireHeaders,
    hasBody ? body : '',
  );
}

/** Internal details that no response may contain: stack traces, files, error types and secrets. */
const internal =
  /node_modules|\n\s*at |\.[mc]?[jt]s:\d|SQLITE_|SqliteError|no such (table|column)|TRPCError|ZodError|(Type|Range|Syntax|Reference)Error|"stack"|scrypt\$/;

describe.each(engines)('on $name', ({ create }) => {
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const testDatabase = await create();
    remove = testDatabase.remove;
    site = await openTestSite({
      pages: createPages(readBuild('dist'), { frames: [], scripts: [] }),
      config: sampleWith({ links: { checkout: 'https://buy.example.com/x' } }),
      env: {
        ...testDatabase.env,
        CONVERSION_KEY: key,
        STRIPE_WEBHOOK_SECRET: secret,
        PUBLIC_URL: `http://${ownHost}`,
      },
      // The clock advances forty seconds per request, so that hourly rate limits do not block the run.
      now: () => (clock += 40_000 / together),
    });
    cookie = await signIn(site, visitor());
    const created = await site.post('/api/keys', { name: 'fuzz', scopes }, { cookie });
    apiKey = ((await created.json()) as { key: string }).key;
  });
  afterAll(async () => {
    await site.close();
    await remove();
  });

  it(
    `${requests} random requests return no 5xx and no internal details`,
    async () => {
      const secrets = [databaseFile(site.dataDir), site.dataDir, key, secret, apiKey];
      const statuses = new Map<number, number>();
      const send = async (one: Sent) => {
        const bytes = bytesOf(one).replaceAll(validKey, apiKey);
        const { status, raw } = await sendRaw(site.origin, bytes);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const sent = JSON.stringify(one);
        // A response may repeat parts of its request.
        const leaks = secrets.filter((secret) => raw.includes(secret) && !sent.includes(secret));
        if (status < 200 || status >= 500 || internal.test(raw) || leaks.length > 0) {
          throw new Error(`${bytes.slice(0, 1500)}\n\ngot the response\n\n${raw.slice(0, 1500)}`);
        }
        // Otherwise no further request would have the owner's session.
        if (one.who === 'owner' && /logout/.test(one.call.path))
          cookie = await signIn(site, visitor());
      };
      const { failed, errorInstance, counterexamplePath } = await fc.check(
        fc.asyncProperty(
          fc.array(request, { minLength: together, maxLength: together }),
          async (all) => void (await Promise.all(all.map(send))),
        ),
        { numRuns: requests / together, seed, endOnFailure: true },
      );
      if (failed) {
        throw new Error(`FUZZ_SEED=${seed}, path ${counterexamplePath}`, { cause: errorInstance });
      }
      expect((await site.fetch('/healthz')).status).toBe(200);
      const owner = { cookie: await signIn(site, visitor()) };
      expect((await site.fetch('/api/analytics/dashboard', { headers: owner })).status).toBe(200);
      // The requests reached every layer, so each of these statuses occurred.
      for (const status of [200, 204, 302, 308, 400, 401, 403, 404, 405, 415, 421]) {
        expect(statuses.get(status) ?? 0, `responses with ${status}`).toBeGreaterThan(0);
      }
      const counts = Object.fromEntries([...statuses].sort(([a], [b]) => a - b));
      console.info(`FUZZ_SEED=${seed}`, counts);
    },
    Math.max(120_000, requests * 60),
  );
});

let visitors = 0;
const visitor = () => ({ 'x-forwarded-for': `198.51.${++visitors >> 8}.${visitors & 255}` });
