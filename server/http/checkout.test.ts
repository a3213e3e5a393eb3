import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outputs } from '../contract/api.ts';
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
    checkout: 'https://buy.stripe.com/audit?locale=en',
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
/** Goes there as a browser does; `fetch` says of itself that it only fetches. */
const open = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Response>((resolve, reject) => {
    const host = 'www.my-domain.com';
    const all = { host, 'user-agent': browser, ...browserAt('192.0.2.1'), ...headers };
    request(`${site.origin}/api/checkout${query}`, { method, headers: all }, (answer) => {
      answer.resume();
      const { location = '', allow = '', 'cache-control': cache = '' } = answer.headers;
      const told = { location, allow, 'cache-control': cache };
      resolve(new Response(null, { status: answer.statusCode ?? 0, headers: told }));
    })
      .on('error', reject)
      .end();
  });
const referenceOf = (answer: Response) => {
  const address = new URL(answer.headers.get('location') ?? '');
  expect(`${address.origin}${address.pathname}`).toBe('https://buy.stripe.com/audit');
  expect(address.searchParams.get('locale')).toBe('en');
  return address.searchParams.get('client_reference_id');
};

/** Has Stripe tell of the payment that came of a checkout. */
async function pay(reference: string | null, change: object = {}) {
  const told = event(
    'checkout.session.completed',
    checkoutSession({ client_reference_id: reference, ...change }),
  );
  const body = JSON.stringify(told);
  const answer = await site.post('/api/webhooks/stripe', body, {
    'stripe-signature': signed(body),
  });
  expect(answer.status).toBe(200);
}

async function dashboard() {
  clock += 1;
  const cookie = await signIn(site);
  const get = async <T>(call: string) => {
    const answer = await site.fetch(`/api/analytics/${call}`, { headers: { cookie } });
    return (await answer.json()) as T;
  };
  const [{ summary, conversions }, { sources, uncounted }] = await Promise.all([
    get<Outputs['analytics']['dashboard']>('dashboard'),
    get<Breakdown>('breakdown'),
  ]);
  return { summary, conversions, sources, uncounted };
}

describe('the way to the checkout', () => {
  it('is counted, and leads on with where the visitor came from', async () => {
    const answer = await open(
      `?control=audit&first=${encodeURIComponent('?utm_source=Podcast')}&last=https://l.instagram.com`,
    );
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store']);
    await pay(referenceOf(answer));
    const { summary, conversions, sources } = await dashboard();
    expect(summary).toMatchObject({ pageViews: 1, checkoutOpens: 1, conversions: 1 });
    expect(conversions).toMatchObject([
      { source: 'instagram', firstSource: 'podcast', control: 'audit' },
    ]);
    expect(sources).toMatchObject([{ source: 'instagram', pageViews: 1, revenue: 97 }]);
  });

  it.each([
    ['a link in a newsletter', '?utm_source=newsletter', {}, 'newsletter'],
    ['another site', '', { referer: 'https://blog.my-friend.com/' }, 'blog.my-friend.com'],
    ['our page, without a script', '', { referer: 'http://www.my-domain.com/?utm_source=x' }, 'x'],
    ['our page', '', { referer: 'http://www.my-domain.com/' }, undefined],
    ['nowhere', '', {}, undefined],
    ['the checkout itself', '', { referer: 'https://checkout.stripe.com/' }, undefined],
    ['a link with a second question mark', '?last=?utm_source=news', {}, 'news'],
    ['a first visit only', `?first=${encodeURIComponent('?ref=friend')}`, {}, 'friend'],
    ['a touch that says nothing', '?last=nonsense', {}, undefined],
  ])(
    'knows the source of who comes from %s',
    async (_, query, headers: Record<string, string>, source) => {
      await pay(referenceOf(await open(query, headers)));
      const { conversions } = await dashboard();
      expect(conversions[0]?.source).toBe(source);
    },
  );

  it('believes a token before what is written beside it, and that before nothing', async () => {
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

  it('never keeps anybody from paying, counted or not', async () => {
    for (let n = 0; n < 40; n++) expect((await open()).status).toBe(302);
    expect(
      (await open('', { 'user-agent': 'Googlebot/2.1', 'x-forwarded-for': '192.0.2.3' })).status,
    ).toBe(302);
    expect(
      (await open('', { 'sec-fetch-site': 'cross-site', 'x-forwarded-for': '192.0.2.2' })).status,
    ).toBe(302);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const { summary, uncounted } = await dashboard();
    expect(summary.checkoutOpens).toBe(2);
    expect(uncounted).toEqual({ bot: 1, rate: 10 });
  });

  it('is not opened by a picture or a frame on another site’s page', async () => {
    const strange = [{ 'sec-fetch-dest': 'image' }, { 'sec-fetch-dest': 'iframe' }];
    for (const headers of strange) {
      const answer = await open('?utm_source=evil', { 'sec-fetch-site': 'cross-site', ...headers });
      expect(answer.status).toBe(302);
    }
    const { summary, sources } = await dashboard();
    expect([summary.pageViews, sources]).toEqual([0, []]);
  });

  it('keeps no buyer waiting for a database that is busy, and forgets no source', async () => {
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
  ])('tells nothing of a visitor who asks for privacy: %j', async (query, headers) => {
    const answer = await open(`?last=https://x.com${query}`, headers);
    expect(referenceOf(answer)).toBeNull();
    expect((await dashboard()).summary.checkoutOpens).toBe(0);
  });

  it('is not opened by a preview, and takes no other method', async () => {
    const preview = await open('?last=https://x.com', {}, 'HEAD');
    expect([preview.status, referenceOf(preview)]).toEqual([302, null]);
    const answer = await open('', {}, 'POST');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await dashboard()).summary.checkoutOpens).toBe(0);
  });
});

it('there is no checkout while none is connected', async () => {
  for (const checkout of ['', 'https://buy.stripe.example/audit']) {
    const other = await openTestSite({ checkout });
    expect((await other.fetch('/api/checkout')).status).toBe(404);
    await other.close();
  }
});
