import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outputs } from '../contract/api.ts';
import { sampleWith } from '../testing/sample-config.ts';
import { browser, openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { session as checkoutSession, event, secret, signed } from '../testing/stripe/events.ts';

type Breakdown = Outputs['analytics']['breakdown'];

const noon = Date.UTC(2026, 2, 10, 12);
let clock: number;
let site: TestSite;

beforeEach(async () => {
  clock = noon;
  site = await openTestSite({
    env: { STRIPE_WEBHOOK_SECRET: secret, PUBLIC_URL: 'http://www.my-domain.com' },
    config: sampleWith({ links: { checkout: 'https://buy.stripe.com/audit?locale=en' } }),
    now: () => clock,
  });
});
afterEach(() => site.close());

const browserAt = (address: string, more: Record<string, string> = {}) => ({
  'x-forwarded-for': address,
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  ...more,
});
/** Goes there as a browser does, without empty headers; `fetch` says of itself that it only fetches. */
const open = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Response>((resolve, reject) => {
    const host = 'www.my-domain.com';
    const given = { host, 'user-agent': browser, ...browserAt('192.0.2.1'), ...headers };
    const all = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    request(`${site.origin}/api/checkout${query}`, { method, headers: all }, (response) => {
      response.resume();
      const { location = '', allow = '', 'cache-control': cache = '' } = response.headers;
      const received = { location, allow, 'cache-control': cache };
      resolve(new Response(null, { status: response.statusCode ?? 0, headers: received }));
    })
      .on('error', reject)
      .end();
  });
const referenceOf = (response: Response) => {
  const address = new URL(response.headers.get('location') ?? '');
  expect(`${address.origin}${address.pathname}`).toBe('https://buy.stripe.com/audit');
  expect(address.searchParams.get('locale')).toBe('en');
  return address.searchParams.get('client_reference_id');
};

/** Delivers the webhook event of the payment that follows a checkout. */
async function pay(reference: string | null, change: object = {}) {
  const stripeEvent = event(
    'checkout.session.completed',
    checkoutSession({ client_reference_id: reference, ...change }),
  );
  const body = JSON.stringify(stripeEvent);
  const response = await site.post('/api/webhooks/stripe', body, {
    'stripe-signature': signed(body),
  });
  expect(response.status).toBe(200);
}

async function dashboard() {
  clock += 1;
  const cookie = await signIn(site);
  const get = async <T>(call: string) => {
    const response = await site.fetch(`/api/analytics/${call}`, { headers: { cookie } });
    return (await response.json()) as T;
  };
  const [{ summary, conversions }, { sources, excluded }] = await Promise.all([
    get<Outputs['analytics']['dashboard']>('dashboard'),
    get<Breakdown>('breakdown'),
  ]);
  return { summary, conversions, sources, excluded };
}

describe('checkout', () => {
  it('checkout click is counted and passes its source on', async () => {
    const response = await open(
      `?button=audit&first=${encodeURIComponent('?utm_source=Podcast')}&last=https://l.instagram.com`,
    );
    expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store']);
    await pay(referenceOf(response));
    const { summary, conversions, sources } = await dashboard();
    expect(summary).toMatchObject({ pageViews: 0, checkoutOpens: 1, conversions: 1 });
    expect(conversions).toMatchObject([
      { source: 'instagram', firstSource: 'podcast', button: 'audit' },
    ]);
    expect(sources).toMatchObject([{ source: 'instagram', pageViews: 0, revenue: 97 }]);
  });

  it.each([
    ['a link in a newsletter', '?utm_source=newsletter', {}, 'newsletter'],
    ['a campaign', '?utm_source=news&utm_medium=email&utm_campaign=may', {}, 'news/email/may'],
    [
      'a campaign on another site',
      `?last=${encodeURIComponent('https://blog.my-friend.com?utm_campaign=May')}`,
      {},
      'blog.my-friend.com//may',
    ],
    ['another site', '', { referer: 'https://blog.my-friend.com/' }, 'blog.my-friend.com'],
    ['our page, without a script', '', { referer: 'http://www.my-domain.com/?utm_source=x' }, 'x'],
    ['our page', '', { referer: 'http://www.my-domain.com/' }, undefined],
    ['nowhere', '', {}, undefined],
    ['the checkout itself', '', { referer: 'https://checkout.stripe.com/' }, undefined],
    ['a link with a second question mark', '?last=?utm_source=news', {}, 'news'],
    ['a first visit only', `?first=${encodeURIComponent('?ref=friend')}`, {}, 'friend'],
    ['a touch that says nothing', '?last=nonsense', {}, undefined],
  ])(
    'checkout finds the source of %s',
    async (_, query, headers: Record<string, string>, source) => {
      await pay(referenceOf(await open(query, headers)));
      const { conversions } = await dashboard();
      expect(conversions[0]?.source).toBe(source);
    },
  );

  it('sale has the campaign of its last touch, not of its first', async () => {
    const first = encodeURIComponent('?utm_source=podcast&utm_campaign=talk');
    const last = encodeURIComponent('?utm_source=newsletter&utm_campaign=spring');
    await pay(referenceOf(await open(`?button=audit&first=${first}&last=${last}`)));
    const { conversions, sources } = await dashboard();
    expect(conversions).toMatchObject([{ source: 'newsletter//spring', firstSource: 'podcast' }]);
    const totals = { pageViews: 0, conversions: 1, revenue: 97 };
    expect(sources).toMatchObject([
      { source: 'newsletter', ...totals, campaigns: [{ source: 'newsletter//spring', ...totals }] },
    ]);
  });

  it('sale takes its source from a valid token, else from metadata', async () => {
    const reference = referenceOf(await open());
    const metadata = { utm_source: 'from-metadata' };
    await pay(reference, { metadata });
    await pay('order-17', { metadata, id: 'cs_2', payment_intent: 'pi_2' });
    await pay(`${reference?.slice(0, -4)}AAAA`, { id: 'cs_3', payment_intent: 'pi_3' });
    const { conversions } = await dashboard();
    const sources = new Map(conversions.map(({ id, source }) => [id, source]));
    expect(sources).toEqual(
      new Map([
        ['pi_3TestA', undefined],
        ['pi_2', 'from-metadata'],
        ['pi_3', undefined],
      ]),
    );
  });

  it('checkout redirects bots and clicks above the rate limit without counting them', async () => {
    for (let n = 0; n < 40; n++) expect((await open()).status).toBe(302);
    expect(
      (await open('', { 'user-agent': 'Googlebot/2.1', 'x-forwarded-for': '192.0.2.3' })).status,
    ).toBe(302);
    expect(
      (await open('', { 'sec-fetch-site': 'cross-site', 'x-forwarded-for': '192.0.2.2' })).status,
    ).toBe(302);
    expect((await dashboard()).summary.checkoutOpens).toBe(2);
    // They are written after a second.
    const excluded = async () => (await dashboard()).excluded;
    await expect.poll(excluded).toEqual({ bot: 1, rate: 10 });
  });

  it('checkout does not count images and frames on another site', async () => {
    const strange = [{ 'sec-fetch-dest': 'image' }, { 'sec-fetch-dest': 'iframe' }];
    for (const headers of strange) {
      const response = await open('?utm_source=evil', {
        'sec-fetch-site': 'cross-site',
        ...headers,
      });
      expect(response.status).toBe(302);
    }
    const { summary, sources } = await dashboard();
    expect([summary.pageViews, sources]).toEqual([0, []]);
  });

  it('checkout on https does not count a mail scanner that opens the link', async () => {
    await site.close();
    site = await openTestSite({
      env: { PUBLIC_URL: 'https://www.my-domain.com' },
      config: sampleWith({ links: { checkout: 'https://buy.stripe.com/audit' } }),
      now: () => clock,
    });
    const https = { 'x-forwarded-proto': 'https' };
    const scanner = { ...https, 'sec-fetch-site': '', 'sec-fetch-mode': '', 'sec-fetch-dest': '' };
    expect((await open('', { ...scanner, 'x-forwarded-for': '192.0.2.7' })).status).toBe(302);
    expect((await open('', { ...https, 'x-forwarded-for': '192.0.2.8' })).status).toBe(302);
    clock += 1;
    const cookie = await signIn(site, https);
    const response = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    expect((await response.json()).summary).toMatchObject({ pageViews: 0, checkoutOpens: 1 });
  });

  it('checkout redirects with its token while the database is locked', async () => {
    const other = new DatabaseSync(join(site.dataDir, 'shingle.db'), { timeout: 10_000 });
    other.exec('BEGIN IMMEDIATE');
    const start = performance.now();
    const reference = referenceOf(await open('?last=https://x.com'));
    // A write waits for five seconds.
    expect(performance.now() - start).toBeLessThan(4500);
    other.exec('ROLLBACK');
    other.close();
    await pay(reference);
    const { conversions, summary } = await dashboard();
    expect(conversions).toMatchObject([{ source: 'x' }]);
    expect(summary.checkoutOpens).toBe(1);
  });

  it.each([
    ['', { 'sec-gpc': '1' }],
    ['&private=1', {}],
  ])(
    'checkout sends no token and counts nothing for a visitor who opted out (%j)',
    async (query, headers) => {
      const response = await open(`?last=https://x.com${query}`, headers);
      expect(referenceOf(response)).toBeNull();
      expect((await dashboard()).summary.checkoutOpens).toBe(0);
    },
  );

  it('checkout does not count HEAD and returns 405 for POST', async () => {
    const preview = await open('?last=https://x.com', {}, 'HEAD');
    expect([preview.status, referenceOf(preview)]).toEqual([302, null]);
    const response = await open('', {}, 'POST');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await dashboard()).summary.checkoutOpens).toBe(0);
  });
});

it('checkout returns 404 while no checkout is connected', async () => {
  for (const checkout of ['', 'https://buy.stripe.example/audit']) {
    const other = await openTestSite({ config: sampleWith({ links: { checkout } }) });
    expect((await other.fetch('/api/checkout')).status).toBe(404);
    await other.close();
  }
});
