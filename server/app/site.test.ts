/** Two instances on one PostgreSQL: whichever is asked, what was done at the other is known. */

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Outputs } from '../contract/api.ts';
import { openStores } from '../stores/stores.ts';
import { freshSchema } from '../testing/engines.ts';
import { execute } from '../testing/postgres/server.ts';
import { sampleWith } from '../testing/sample-config.ts';
import { browser, openTestSite, password, signIn, type TestSite } from '../testing/site.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { event, secret, session, signed } from '../testing/stripe/events.ts';

const conversionKey = '0123456789abcdef';
let clock: number;
let schema: Awaited<ReturnType<typeof freshSchema>>;
let smtp: TestSmtp;
let one: TestSite;
let other: TestSite;
let running: TestSite[];

beforeEach(async () => {
  clock = Date.UTC(2026, 2, 10, 12);
  schema = await freshSchema();
  smtp = await openTestSmtp();
  // At the same moment, on a database without a table.
  [one, other] = await Promise.all([open(), open()]);
  running = [one, other];
});
/** An instance whose clock is the test's, or so many ms ahead of it. */
const open = (ahead = 0) =>
  openTestSite({
    env: {
      DATABASE_URL: schema.url,
      SESSION_SECRET: 'known to every instance',
      CONVERSION_KEY: conversionKey,
      STRIPE_WEBHOOK_SECRET: secret,
      SMTP_URL: smtp.url,
      CONTACT_TO: 'me@my-domain.com',
    },
    config: sampleWith({ links: { checkout: 'https://buy.stripe.com/audit' } }),
    now: () => clock + ahead,
  });
const stop = () => Promise.all(running.splice(0).map((site) => site.close()));
afterEach(async () => {
  await stop();
  await smtp.close();
  await schema.remove();
});

interface Visit {
  address: string;
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Sends a browser's request under the public host name, which `fetch` cannot set. */
const visit = (site: TestSite, path: string, { address, method, headers, body }: Visit) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const all = {
      host: 'www.my-domain.com',
      'user-agent': browser,
      'x-forwarded-for': address,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      ...headers,
    };
    request(`${site.origin}${path}`, { method: method ?? 'POST', headers: all }, (response) => {
      resolve(response.resume());
    })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });

/** Asks both instances as the signed-in owner; fails unless their reports are equal. */
async function askBoth<Report>(path: string, cookie: string): Promise<Report> {
  clock += 1;
  const ask = async (site: TestSite) => {
    const response = await site.fetch(path, { headers: { cookie } });
    expect(response.status).toBe(200);
    return response.json();
  };
  // An email may be sent between the two reads.
  return vi.waitFor(async () => {
    const [report, reportOfOther] = await Promise.all([ask(one), ask(other)]);
    expect(reportOfOther).toEqual(report);
    return report as Report;
  }, 20_000);
}

it('session is valid on both instances until a logout on either', async () => {
  const isIn = async (site: TestSite, cookie: string) =>
    (await site.fetch('/api/analytics/dashboard', { headers: { cookie } })).status === 200;
  for (const [entry, exit] of [
    [one, other],
    [other, one],
  ] as const) {
    const cookie = await signIn(entry);
    expect([await isIn(one, cookie), await isIn(other, cookie)]).toEqual([true, true]);
    await exit.post('/api/admin/logout', undefined, { cookie });
    expect([await isIn(one, cookie), await isIn(other, cookie)]).toEqual([false, false]);
  }
});

it('wrong passwords count across instances', async () => {
  const tryPassword = async (site: TestSite, tried: string) =>
    (await site.post('/api/admin/login', { password: tried })).status;
  for (let n = 0; n < 10; n++) expect(await tryPassword(n % 2 ? one : other, 'x')).toBe(401);
  expect([await tryPassword(one, password), await tryPassword(other, password)]).toEqual([
    429, 429,
  ]);
});

it('a right password that cannot be stored returns 503 and uses up no sign-in attempts', async () => {
  const device = /device=[^;]+/.exec(await signIn(one))?.[0] ?? '';
  await execute(
    schema.url,
    `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'disk full' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER disk_full BEFORE INSERT ON admin_session EXECUTE FUNCTION disk_full()`,
  );
  const statuses: number[] = [];
  // More attempts than a known browser and an address have together.
  for (let n = 0; n < 32; n++) {
    const path = n % 2 ? '/api/admin/login' : '/api/trpc/auth.login';
    const headers = n < 21 ? { cookie: device } : {};
    statuses.push((await (n % 4 < 2 ? one : other).post(path, { password }, headers)).status);
  }
  expect(statuses).toEqual(statuses.map(() => 503));
  await execute(schema.url, 'DROP TRIGGER disk_full ON admin_session');
  expect((await other.post('/api/admin/login', { password })).status).toBe(200);
});

it('visitor of two instances counts once, with the source of the first view', async () => {
  const cookie = await signIn(one);
  const record = async (site: TestSite, address: string, body: object) => {
    const { statusCode } = await visit(site, '/api/activity', { address, body });
    expect(statusCode).toBe(204);
  };
  await record(one, '192.0.2.1', { type: 'page_view', search: '?utm_source=podcast' });
  await record(other, '192.0.2.1', { type: 'page_view', search: '?utm_source=friend' });
  await record(other, '192.0.2.1', { type: 'cta_click', button: 'hero' });
  // Others come to both at once.
  const crowd = Array.from({ length: 30 }, (_, n) => `198.51.100.${n}`);
  await Promise.all(
    crowd.flatMap((address) =>
      [one, other].map((site) => record(site, address, { type: 'page_view' })),
    ),
  );
  const { summary } = await askBoth<Outputs['analytics']['dashboard']>(
    '/api/analytics/dashboard',
    cookie,
  );
  expect(summary).toMatchObject({ pageViews: 31, ctaClicks: 1 });
  const { sources } = await askBoth<Outputs['analytics']['breakdown']>(
    '/api/analytics/breakdown',
    cookie,
  );
  expect(sources).toMatchObject([
    { pageViews: 30, ctaClicks: 0 },
    { source: 'podcast', pageViews: 1, ctaClicks: 1 },
  ]);
});

it('visitor at midnight counts once when the clocks of instances differ', async () => {
  const views = async () => {
    await visit(one, '/api/activity', { address: '192.0.2.1', body: { type: 'page_view' } });
    const { pageViews } = await stores.analytics.totals({ from: 0, to: 2 * clock });
    return pageViews;
  };
  const stores = await openStores({ DATABASE_URL: schema.url, DATA_DIR: '' });
  const newInstance = async (ahead: number) => running.push(await open(ahead));
  try {
    clock = Date.UTC(2026, 2, 10, 23, 59, 50);
    expect(await views()).toBe(1);
    // It deletes the visitors of past days at once.
    await newInstance(50_000);
    expect(await views()).toBe(1);
    await newInstance(2 * 60_000);
    await vi.waitFor(async () => expect(await views()).toBe(2), 20_000);
  } finally {
    await stores.close();
  }
});

it('message retried on another instance appears once on both', async () => {
  const cookie = await signIn(one);
  const body = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  const headers = { 'idempotency-key': randomUUID() };
  const responses = await Promise.all(
    [one, other, one, other].map((site) =>
      visit(site, '/api/contact', { address: '192.0.2.1', headers, body }),
    ),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const list = (folder: string) =>
    askBoth<Outputs['contact']['messages']>(`/api/messages?folder=${folder}`, cookie);
  const { messages } = await list('inbox');
  expect(messages).toMatchObject([body]);
  await other.post('/api/messages', { ids: [messages[0]?.id], folder: 'archive' }, { cookie });
  expect((await list('inbox')).messages).toEqual([]);
  expect((await list('archive')).messages).toMatchObject([body]);
});

it('each message is mailed once by two instances', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `Visitor ${String(n).padStart(2, '0')}`);
  await Promise.all(
    names.map((name, n) =>
      visit(n % 2 ? one : other, '/api/contact', {
        address: `198.51.100.${n}`,
        body: { name, email: 'ada@example.com', message: `What ${name} asks` },
      }),
    ),
  );
  const carried = () =>
    smtp.emails.flatMap(({ replyTo }) => replyTo?.map(({ name }) => name) ?? []).sort();
  await vi.waitFor(() => expect(carried().length).toBeGreaterThanOrEqual(20), 20_000);
  // Nothing is left to be carried twice.
  await stop();
  expect(carried()).toEqual(names);
  const ids = smtp.emails.map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('sale counts once, with the source of a checkout on another instance', async () => {
  const cookie = await signIn(one);
  const timestamp = '2026-03-10T11:00:00Z';
  const sale = { id: 'order-1', amount: 5000, currency: 'USD', timestamp };
  await Promise.all(
    [one, other].map((site) =>
      site.post('/api/conversions', sale, { authorization: `Bearer ${conversionKey}` }),
    ),
  );
  const way = await visit(one, '/api/checkout?last=%3Futm_source%3Dpodcast', {
    address: '192.0.2.1',
    method: 'GET',
  });
  const reference = new URL(way.headers.location ?? '').searchParams.get('client_reference_id');
  const paid = { client_reference_id: reference };
  const delivery = JSON.stringify(event('checkout.session.completed', session(paid)));
  const responses = await Promise.all(
    [other, one, other].map((site) =>
      site.post('/api/webhooks/stripe', delivery, { 'stripe-signature': signed(delivery) }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { summary, conversions } = await askBoth<Outputs['analytics']['dashboard']>(
    '/api/analytics/dashboard',
    cookie,
  );
  expect(summary).toMatchObject({ conversions: 2, totalRevenue: 147 });
  expect(conversions).toMatchObject([
    { conversionValue: 9700, source: 'podcast' },
    { id: 'order-1', conversionValue: 5000 },
  ]);
});
