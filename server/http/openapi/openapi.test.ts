/** Lints the document, and compares it with real responses of every call. */
import { createHmac } from 'node:crypto';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLog } from '../../log.ts';
import { createOwner, now, type TestOwner } from '../../testing/cli-io.ts';
import { pictureOf } from '../../testing/picture.ts';
import { site as sample, sampleWith } from '../../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';
import { openTestSmtp, type TestSmtp } from '../../testing/smtp.ts';
import { event, secret, session, signed } from '../../testing/stripe/events.ts';
import {
  openTestReceiver,
  type TestReceiver,
  webhookSecret,
} from '../../testing/webhook-receiver.ts';
import { queueAlerts } from '../../webhooks/alerts.ts';
import { openApiPath } from './handler.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; schema: AnySchema }[];
  requestBody?: unknown;
  responses: Record<string, { content?: Record<string, unknown> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
}

const log = createLog('silent', { pretty: false });

let owner: TestOwner;
let site: TestSite;
let smtp: TestSmtp;
let receiver: TestReceiver;
let cookie: string;
let setupCode: string;
let document: Document;
let ajv: Ajv2020;
/** The operations that succeeded. */
const succeeded = new Set<string>();

beforeAll(async () => {
  smtp = await openTestSmtp();
  receiver = await openTestReceiver();
  owner = await createOwner();
  await owner.inside(({ webhooks }) =>
    queueAlerts({
      currentAlerts: async () => [{ kind: 'disk', text: 'The disk is 91% full.' }],
      store: webhooks,
      worker: { wake() {} },
      now: () => now,
      log,
    }),
  );
  site = await openTestSite({
    env: {
      DATA_DIR: owner.folder,
      SMTP_URL: smtp.url,
      CONTACT_TO: 'owner@my-domain.com',
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_API_KEY: 'sk_test_1',
      CALENDLY_WEBHOOK_SECRET: secret,
      CAL_WEBHOOK_SECRET: secret,
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: webhookSecret,
      ADMIN_PASSWORD: undefined,
    },
    config: sampleWith({ links: { checkout: 'https://buy.example.com/x' } }),
    now: () => now,
  });
  setupCode = site.setupCode;
  cookie = await signIn(site);
  document = (await (await site.fetch(openApiPath)).json()) as Document;
  ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(closed(document) as AnySchema, 'api');
});
afterAll(async () => {
  await site.close();
  await smtp.close();
  await receiver.close();
  await owner.remove();
});

/** The document with objects that have no other fields than theirs. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'allOf' ? value : closed(value)]),
  );
  const isObject = copy.type === 'object' && copy.properties && !copy.additionalProperties;
  return isObject ? { ...copy, additionalProperties: false } : copy;
}

const pointer = (...path: string[]) =>
  `api#/${path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** Makes a call and compares it with its operation; returns the response's content. */
async function call(
  method: 'GET' | 'POST',
  path: string,
  {
    body,
    headers = { cookie },
    status = 200,
    template = path.replace(/\?.*/, ''),
  }: {
    body?: unknown;
    headers?: Record<string, string>;
    status?: number;
    template?: string;
  } = {},
) {
  const response = await (method === 'GET'
    ? site.fetch(path, { headers })
    : Buffer.isBuffer(body)
      ? site.fetch(path, { method, headers, body: new Uint8Array(body) })
      : site.post(path, body, headers));
  const text = await response.text();
  expect(`${method} ${path} ${response.status} ${text}`).toContain(`${path} ${status} `);
  const [, query] = path.split('?');
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The document lacks ${method} ${path}.`);
  const { operationId, parameters = [], responses } = operation;
  const documented = parameters.filter((one) => one.in === 'query').map((one) => one.name);
  expect(documented).toEqual(expect.arrayContaining([...new URLSearchParams(query).keys()]));
  const content = responses[status]?.content;
  const place = ['paths', template, method.toLowerCase()];
  if (status < 400) {
    succeeded.add(operationId);
    if (body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)) {
      check(pointer(...place, 'requestBody', 'content', 'application/json', 'schema'), body);
    }
    if (!content) return expect(text).toBe('');
  }
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const at = content
    ? pointer(...place, 'responses', `${status}`, 'content', type, 'schema')
    : pointer('components', 'responses', 'Error', 'content', type, 'schema');
  const data = type === 'application/json' ? JSON.parse(text) : text;
  check(at, data);
  return data;
}

function check(schema: string, data: unknown) {
  const validate = ajv.getSchema(schema);
  if (!validate) throw new Error(`The document has no ${schema}.`);
  expect(validate(data) ? [] : validate.errors, `${schema} ${JSON.stringify(data)}`).toEqual([]);
}

it('OpenAPI document is valid and follows the recommended rules', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended-strict'] }),
  });
  expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
});

it('OpenAPI document has an ETag', async () => {
  const response = await site.fetch(openApiPath);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const etag = response.headers.get('etag') ?? '';
  const again = await site.fetch(openApiPath, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

it('every call responds as the OpenAPI document says', async () => {
  const password = 'violet seldom tractor plum';
  const setup = { code: setupCode, password, name: sample.brand.name, timeZone: 'Europe/London' };
  await call('POST', '/api/setup', { body: { ...setup, code: 'wrong' }, status: 401 });
  await call('POST', '/api/setup', { body: { ...setup, email: 'x' }, status: 400 });
  await call('POST', '/api/setup', { body: setup });
  await call('POST', '/api/setup', { body: setup, status: 404 });
  site = { ...site, password };
  cookie = await signIn(site);

  const message = { name: 'Ada', email: 'ada@example.com', company: 'Lovelace', message: 'Hello' };
  await call('POST', '/api/contact', { body: message });
  await call('POST', '/api/contact', { body: { ...message, hq7x: 'x', company: null } });
  await call('GET', '/api/messages/unread');
  await call('GET', '/api/settings/status');
  await call('GET', '/api/messages?folder=spam');
  const { messages } = await call('GET', '/api/messages?search=hello');
  expect(messages).toHaveLength(1);
  const ids = [messages[0].id];
  await call('POST', '/api/messages', { body: { ids, folder: 'archive', isRead: true } });
  await call('POST', '/api/messages/empty-spam', { body: { until: '2026-11-21T02:30:00Z' } });

  const { days } = await call('GET', '/api/booking/slots?call=strategy-call&timeZone=Asia/Tokyo');
  const times = days.flatMap(({ slots }: { slots: string[] }) => slots);
  const [first, second] = times;
  const visitor = { name: 'Tom', email: 'tom@example.com' };
  const booking = { call: 'strategy-call', start: first, ...visitor, note: 'My list' };
  const { url } = await call('POST', '/api/bookings', { body: booking });
  await call('POST', '/api/bookings', { body: { ...booking, name: 'Eve' }, status: 409 });
  const token = url.split('/').at(-1);
  await call('POST', '/api/bookings/change', { body: { token, start: second } });
  const later = { ...booking, start: times.at(-1) };
  const { url: cancelled } = await call('POST', '/api/bookings', { body: later });
  const cancel = { token: cancelled.split('/').at(-1), cancel: true };
  await call('POST', '/api/bookings/change', { body: cancel });
  const block = { date: '2026-11-30', from: '09:00', to: '12:00', note: 'Dentist' };
  await call('POST', '/api/bookings/block', { body: block });
  await call('POST', '/api/bookings/block', { body: block, status: 409 });
  const { bookings, blocked, feed } = await call('GET', '/api/bookings?state=upcoming');
  await call('GET', feed, { template: '/calendar/{token}.ics' });
  expect([bookings.length, blocked.length]).toEqual([1, 1]);
  await call('POST', '/api/bookings/note', { body: { id: bookings[0].id, note: 'Nice' } });
  await call('POST', '/api/bookings/note', { body: { id: 'no', note: 'Nice' }, status: 404 });
  await call('POST', '/api/bookings/unblock', { body: { id: blocked[0].id } });

  const isFromBrowser = { 'sec-fetch-site': 'same-origin' };
  for (const type of ['page_view', 'cta_click', 'call_booked']) {
    const activity = {
      type,
      search: '?utm_source=podcast',
      ...(type !== 'page_view' && { button: 'hero' }),
    };
    await call('POST', '/api/activity', { body: activity, headers: isFromBrowser, status: 204 });
  }
  await call('POST', '/api/activity', { body: { type: 'page_view' }, headers: {}, status: 204 });
  await call('POST', '/api/activity', { body: { type: 'x' }, headers: {}, status: 400 });

  const sale = { id: 'order-1', amount: 4900, currency: 'USD', email: 'ada@example.com' };
  await call('POST', '/api/conversions', { body: sale, headers: {}, status: 404 });
  const grant = { name: 'Shop', scopes: ['write:conversions'] };
  const { id: keyId, key } = await call('POST', '/api/keys', { body: grant });
  const shop = { authorization: `Bearer ${key}` };
  const sold = { ...sale, refunded: 900, source: 'podcast', button: 'hero' };
  await call('POST', '/api/conversions', { body: sold, headers: shop });
  await call('POST', '/api/conversions', { body: { ...sale, id: 'order-2' }, headers: shop });
  await call('POST', '/api/conversions', {
    body: { ...sale, id: 'order-3', currency: 'EUR', refunded: 4900 },
    headers: shop,
  });
  const euros = { ...sale, currency: 'EUR' };
  await call('POST', '/api/conversions', { body: euros, headers: shop, status: 400 });
  await call('POST', '/api/conversions', { body: sale, headers: {}, status: 401 });
  await call('GET', '/api/analytics/dashboard', { headers: shop, status: 403 });
  await call('GET', '/api/keys', { headers: shop, status: 403 });
  await call('GET', '/api/keys');
  await call('GET', '/api/connections');
  await call('GET', '/api/connections/stripe/links');
  const forgotten = { name: 'busyCalendars', value: { remove: 'unknown' } };
  await call('POST', '/api/connections', { body: forgotten });
  await call('POST', '/api/connections/clear', { body: { name: 'busyCalendars' } });
  await call('POST', '/api/connections/clear', { body: { name: 'calcom' }, status: 409 });
  await call('POST', '/api/keys/revoke', { body: { id: keyId } });

  const payload = JSON.stringify(event('checkout.session.completed', session()));
  const delivery = { 'stripe-signature': signed(payload) };
  await call('POST', '/api/webhooks/stripe', { body: payload, headers: delivery });
  await call('POST', '/api/webhooks/stripe', { body: payload, headers: {}, status: 400 });
  const other = '{"event":"invitee_no_show.created","triggerEvent":"PING"}';
  const fromCalendly = { 'calendly-webhook-signature': signed(other) };
  await call('POST', '/api/webhooks/calendly', { body: other, headers: fromCalendly });
  await call('POST', '/api/webhooks/calendly', { body: other, headers: {}, status: 400 });
  const digest = createHmac('sha256', secret).update(other).digest('hex');
  await call('POST', '/api/webhooks/cal', {
    body: other,
    headers: { 'x-cal-signature-256': digest },
  });
  await call('POST', '/api/webhooks/cal', { body: other, headers: {}, status: 400 });

  const since = 'startDate=2025-11-01T00:00:00Z';
  const report = await call('GET', `/api/analytics/dashboard?${since}`);
  expect(report.doubts).toHaveLength(1);
  expect(report.stripe).toMatchObject({ differing: 0 });
  await call('GET', `/api/analytics/dashboard?${since}&source=podcast&button=hero`);
  await call('GET', '/api/analytics/dashboard?startDate=yesterday', { status: 400 });
  const { sources, excluded } = await call('GET', `/api/analytics/breakdown?${since}`);
  expect([sources.length > 0, excluded]).toEqual([true, expect.anything()]);
  await call('GET', '/api/analytics/months');
  for (const kind of ['page_view', 'cta_click', 'checkout_open', 'call_booked', 'sale']) {
    await call('GET', `/api/analytics/rows?kind=${kind}&${since}`);
  }
  const sales = ['order-1', 'order-2'];
  await call('POST', '/api/analytics/doubts', { body: { sales, isOneSale: true } });
  const unknown = { sales: ['a', 'b'], isOneSale: true };
  await call('POST', '/api/analytics/doubts', { body: unknown, status: 404 });
  const files = {
    own: 'id,amount,currency\norder-9,1200,USD\norder-1,4900,EUR\n',
    foreign: 'Order,Total,Currency,Date\n7,12.50,EUR,2026-11-02\n',
    good: 'id,amount,currency\norder-9,1200,USD\n',
  };
  for (const text of [...Object.values(files), '']) {
    await call('POST', '/api/analytics/import/preview', { body: { text } });
  }
  await call('POST', '/api/analytics/import', { body: { text: files.own }, status: 400 });
  await call('POST', '/api/analytics/import', { body: { text: files.good } });

  await call('GET', '/api/site/fields');
  const photo = await pictureOf('jpeg', 960, 1200);
  const { address } = await call('POST', '/api/site/photos', { body: photo });
  const size = await pictureOf('webp', 480, 600);
  await call('POST', `/api/site/photos?of=${address}`, { body: size });
  await call('POST', '/api/site/photos?of=/me.jpg', { body: size, status: 400 });
  await call('POST', '/api/site/photos', { body: Buffer.from('<svg/>'), status: 415 });

  const { document: draft } = await call('GET', '/api/site/draft');
  const { title } = draft.hero;
  const to = 'Your business, sorted.';
  const patches = [{ path: 'hero.title', from: title, to }];
  const { revision } = await call('POST', '/api/site/draft', { body: { patches } });
  const late = [{ path: 'hero.title', from: title, to: 'Another' }];
  expect(await call('POST', '/api/site/draft', { body: { patches: late } })).toMatchObject({
    conflicts: [{ path: 'hero.title', yours: 'Another', theirs: to }],
  });
  await call('POST', '/api/site/draft', {
    body: { patches: [{ path: 'hero.x', to: 'x' }] },
    status: 400,
  });
  await call('POST', '/api/site/publish', { body: { revision: 0 }, status: 409 });
  const published = { revision, note: 'First', paths: ['hero'] };
  const { version } = await call('POST', '/api/site/publish', { body: published });
  await call('POST', '/api/site/restore', { body: { version } });
  await call('POST', '/api/site/restore', { body: { version: 99 }, status: 404 });
  await call('POST', '/api/site/discard');
  await call('GET', '/api/site/versions?before=2');
  expect(await call('GET', '/api/site/export')).toContain(`title: '${to}',`);
  const template = '/api/site/preview/{page}';
  const preview = await call('GET', '/api/site/preview/home?scheme=dark', { template });
  expect(preview).toContain('home');
  await call('GET', '/api/site/preview/nothing', { template, status: 404 });

  await call('GET', '/api/people?email=ada@example.com');
  await call('GET', '/api/people?email=ada', { status: 400 });
  await call('GET', '/api/people/export?email=ada@example.com');
  await call('POST', '/api/people/erase', { body: { email: 'eve@example.com' } });

  await call('GET', '/api/settings/launch-check');
  await call('GET', '/api/settings/network-check');
  const inside = { address: 'https://127.0.0.1/' };
  const { problem } = await call('POST', '/api/settings/test-address', { body: inside });
  expect(problem).toMatch(/local network/);
  await call('GET', '/api/settings/email');
  await call('GET', '/api/settings/backups');
  await call('POST', '/api/settings/test-email');
  smtp.setBehaviour('reject recipient');
  await call('POST', '/api/settings/test-email', { status: 422 });

  for (const path of ['messages.csv', 'messages.json', 'bookings.csv', 'bookings.json']) {
    await call('GET', `/api/${path}`);
  }
  for (const path of ['sales', 'activity'])
    await call('GET', `/api/analytics/${path}.csv?${since}`);
  await call('GET', '/api/analytics/sales.csv?startDate=yesterday', { status: 400 });
  await call('GET', '/api/backup');
  await call('GET', '/api/checkout?button=hero&first=a&last=b&utm_source=c', { status: 302 });
  await call('GET', '/healthz');
  await call('GET', '/readyz');

  await call('GET', '/api/messages', { headers: {}, status: 401 });
  await call('POST', '/api/messages', { body: '{', status: 400 });
  const foreign = { cookie, origin: 'https://evil.example' };
  await call('POST', '/api/messages', { body: { ids: ['a'] }, headers: foreign, status: 403 });
  const text = { cookie, 'content-type': 'text/plain' };
  await call('POST', '/api/messages', { body: 'x', headers: text, status: 415 });
  await call('POST', '/api/messages', { body: 'x'.repeat(2 ** 20), status: 413 });

  await call('GET', '/api/admin/log');
  await call('GET', '/api/admin/log?before=x', { status: 400 });
  await call('GET', '/api/admin/sessions');
  await call('POST', '/api/admin/login', { body: { password: 'wrong' }, status: 401 });
  await call('POST', '/api/admin/confirm', { body: { password: 'wrong' }, status: 401 });
  await call('POST', '/api/admin/confirm', { body: { password: site.password } });
  await call('POST', '/api/admin/sign-in-link', { body: { token: 'wrong' }, status: 401 });
  const { out } = await owner.admin(['sign-in-link']);
  const link = /#sign-in=(\S+)/.exec(out)?.[1];
  await call('POST', '/api/admin/sign-in-link', { body: { token: link }, headers: {} });
  const passwords = { currentPassword: site.password, newPassword: 'plum tractor seldom violet' };
  await call('POST', '/api/admin/sessions/end', { body: { id: 'no' } });
  await call('POST', '/api/admin/sessions/end-others');
  await call('POST', '/api/admin/password', {
    body: { ...passwords, currentPassword: 'x' },
    status: 403,
  });
  await call('POST', '/api/admin/password', { body: passwords });
  await call('POST', '/api/admin/login', { body: { password: passwords.newPassword } });
  await call('POST', '/api/admin/logout');

  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const others = all.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id));
  expect(others, 'Make a call of each of these operations above').toEqual([]);
});

it('every event is delivered as the OpenAPI document says', async () => {
  const types = Object.keys(document.webhooks).sort();
  await vi.waitFor(() => {
    expect([...new Set(receiver.events.map(({ type }) => type))].sort()).toEqual(types);
  });
  for (const { id, headers, ...body } of receiver.events) {
    const place = ['webhooks', body.type, 'post'];
    check(pointer(...place, 'requestBody', 'content', 'application/json', 'schema'), body);
    const { parameters = [] } = document.webhooks[body.type]?.post ?? {};
    expect(parameters.map(({ name }) => name)).toEqual([
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    ]);
    for (const [i, { name }] of parameters.entries()) {
      check(pointer(...place, 'parameters', `${i}`, 'schema'), headers[name]);
    }
  }
});
