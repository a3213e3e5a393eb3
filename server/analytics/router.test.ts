import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outputs } from '../contract/api.ts';
import { maxAmount } from '../contract/money.ts';
import { eventOf } from '../sales/stripe/facts.ts';
import { sampleWith } from '../testing/sample-config.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { event, session } from '../testing/stripe/events.ts';

type Dashboard = Outputs['analytics']['dashboard'];

const key = '0123456789abcdef';
const day = 24 * 60 * 60_000;
let clock: number;
let site: TestSite;
let cookie: string;

beforeEach(async () => {
  clock = Date.UTC(2026, 4, 20, 15, 30, 12, 345);
  site = await openTestSite({ env: { CONVERSION_KEY: key }, now: () => clock });
  cookie = await signIn(site);
});
afterEach(() => site.close());

const from = (address: string, more: Record<string, string> = {}) => ({
  'x-forwarded-for': address,
  'sec-fetch-site': 'same-origin',
  ...more,
});
const record = (type: string, headers: Record<string, string>, button?: string) =>
  site.post('/api/activity', { type, button }, headers);
const importSale = (sale: object) =>
  site.post('/api/conversions', sale, { authorization: `Bearer ${key}` });
async function dashboard(startDate?: string): Promise<Dashboard> {
  const query = startDate === undefined ? '' : `?${new URLSearchParams({ startDate })}`;
  const answer = await site.fetch(`/api/analytics/dashboard${query}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return answer.json() as Promise<Dashboard>;
}

it('sale to an international address is stored as mail servers need it', async () => {
  const sale = { id: 'a', amount: 4900, currency: 'USD', email: ' Jo <info@müller.example>' };
  expect((await importSale(sale)).status).toBe(200);
  clock += 1;
  expect((await dashboard()).conversions).toMatchObject([{ email: 'info@xn--mller-kva.example' }]);
});

describe('recording', () => {
  it('an event is counted once per visitor and returns 204', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.1']) {
      expect((await record('page_view', from(address))).status).toBe(204);
    }
    expect((await record('cta_click', from('192.0.2.1'), 'hero')).status).toBe(204);
    clock += 1;
    expect((await dashboard()).summary).toEqual({
      pageViews: 3,
      ctaClicks: 1,
      checkoutOpens: 0,
      callsBooked: 0,
      conversions: 0,
      totalRevenue: 0,
      refundedRevenue: 0,
      disputedRevenue: 0,
      conversionRate: 0,
      ctaConversionRate: 100 / 3,
    });
  });

  it.each([
    ['a bot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
    ['an empty user agent', { 'user-agent': '' }],
    ['a prefetching browser', { 'sec-purpose': 'prefetch;prerender' }],
    ['a visitor with Global Privacy Control', { 'sec-gpc': '1' }],
  ])('events of %s are excluded', async (_, headers) => {
    expect((await record('page_view', from('192.0.2.9', headers))).status).toBe(204);
    clock += 1;
    expect((await dashboard()).summary.pageViews).toBe(0);
  });

  it('events of the signed-in owner are excluded', async () => {
    await record('page_view', from('192.0.2.9', { cookie }));
    clock += 1;
    expect((await dashboard()).summary.pageViews).toBe(0);
  });

  it('a visitor counts again on the next UTC day', async () => {
    await record('page_view', from('192.0.2.1'));
    clock += day;
    await record('page_view', from('192.0.2.1'));
    clock += 1;
    expect((await dashboard()).summary.pageViews).toBe(2);
  });

  it('events of other sites, unknown kinds and unknown buttons are rejected', async () => {
    const foreign = from('192.0.2.1', { 'sec-fetch-site': 'cross-site' });
    expect((await record('page_view', foreign)).status).toBe(403);
    expect((await record('purchase', from('192.0.2.1'))).status).toBe(400);
    expect((await record('cta_click', from('192.0.2.1'), 'made-up')).status).toBe(400);
  });
});

describe('sales of other checkouts', () => {
  const sale = {
    id: 'order-1',
    amount: 4900,
    currency: 'usd',
    email: 'a@example.com',
    source: 'x',
  };

  it('a reported sale counts once by its id, at its own time', async () => {
    const timestamp = new Date(clock - 2 * day).toISOString();
    for (let n = 0; n < 3; n++) {
      expect((await importSale({ ...sale, timestamp })).status).toBe(200);
    }
    const { summary, conversions } = await dashboard();
    expect(summary).toMatchObject({ conversions: 1, totalRevenue: 49, conversionRate: 0 });
    expect(conversions).toEqual([
      {
        id: 'order-1',
        timestamp,
        conversionValue: 4900,
        currency: 'USD',
        email: 'a@example.com',
        source: 'x',
      },
    ]);
  });

  it('a sale without email or source is returned without these fields', async () => {
    await importSale({ id: 'order-2', amount: 100, currency: 'USD' });
    clock += 1;
    const [conversion] = (await dashboard()).conversions;
    expect(conversion).not.toHaveProperty('email');
    expect(conversion).not.toHaveProperty('source');
  });

  it.each([
    [{ ...sale, amount: 49.5 }, 'amount'],
    [{ ...sale, amount: -1 }, 'amount'],
    [{ ...sale, amount: '4900' }, 'amount'],
    [{ ...sale, amount: maxAmount + 1 }, 'amount'],
    [{ ...sale, currency: 'dollars' }, 'currency'],
    [{ ...sale, timestamp: '2026-01-01' }, 'timestamp'],
    [{ ...sale, id: '' }, 'id'],
  ])('an invalid reported sale returns 400: %j', async (bad, path) => {
    const answer = await importSale(bad);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path }] });
  });

  it('a report in another currency than the first one returns 400', async () => {
    await importSale(sale);
    const answer = await importSale({ ...sale, currency: 'JPY', refunded: 100 });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'OTHER_CURRENCY' });
  });

  it('a sale of the largest amount is counted exactly, as it is from Stripe', async () => {
    await importSale({ ...sale, amount: maxAmount });
    clock += 1;
    expect((await dashboard()).summary.totalRevenue).toBe(maxAmount / 100);
    const paid = event('checkout.session.completed', session({ amount_total: maxAmount }));
    expect(eventOf(paid).facts).toMatchObject([{ charged: { amount: maxAmount } }]);
    const tooMuch = session({ amount_total: maxAmount + 1 });
    expect(() => eventOf(event('checkout.session.completed', tooMuch))).toThrow();
  });

  it('the dashboard lists a hundred sales and counts all', async () => {
    for (let n = 0; n < 105; n++) await importSale({ ...sale, id: `order-${n}` });
    clock += 1;
    const { summary, conversions } = await dashboard();
    expect([summary.conversions, conversions.length]).toEqual([105, 100]);
  });
});

describe('the breakdown', () => {
  const breakdown = async (query: Record<string, string> = {}) => {
    const search = new URLSearchParams(query);
    const answer = await site.fetch(`/api/analytics/breakdown?${search}`, { headers: { cookie } });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Outputs['analytics']['breakdown'];
  };
  const see = (n: number, more: object = {}) =>
    site.post('/api/activity', { type: 'page_view', ...more }, from(`192.0.2.${n}`));

  it('insights group by days of the time zone and add up to the summary', async () => {
    // In Kathmandu a day begins at 18:15 UTC.
    clock = Date.UTC(2026, 4, 19, 18, 14, 59);
    await see(1);
    clock += 1000;
    await see(2);
    await importSale({ id: 'a', amount: 9700, currency: 'USD', refunded: 700 });
    clock = Date.UTC(2026, 4, 20, 12);
    const startDate = '2026-05-19T00:00:00Z';
    const { days } = await breakdown({ startDate, timeZone: 'Asia/Kathmandu' });
    const none = { pageViews: 0, ctaClicks: 0, conversions: 0, revenue: 0 };
    const midnight = '2026-05-19T18:15:00.000Z';
    expect(days).toEqual([
      {
        ...none,
        date: '2026-05-19',
        isWhole: false,
        pageViews: 1,
        startDate: '2026-05-19T00:00:00.000Z',
        asOf: midnight,
      },
      {
        ...none,
        date: '2026-05-20',
        isWhole: false,
        pageViews: 1,
        conversions: 1,
        revenue: 90,
        startDate: midnight,
        asOf: '2026-05-20T12:00:00.000Z',
      },
    ]);
    expect((await breakdown({ startDate })).days.map(({ pageViews }) => pageViews)).toEqual([2, 0]);
  });

  it('insights say when their days are only the last 1,100 of the period', async () => {
    await importSale({ id: 'a', amount: 1, currency: 'USD', timestamp: '2001-01-01T00:00:00Z' });
    const whole = await breakdown({
      startDate: '1000-01-01T00:00:00Z',
      timeZone: 'Asia/Kathmandu',
    });
    expect(whole.days).toHaveLength(1101);
    expect(whole.daysTruncated).toBe(true);
    const startDate = new Date(clock - 1100 * 24 * 3600_000).toISOString();
    expect(await breakdown({ startDate })).toMatchObject({ daysTruncated: false });
  });

  it('insights list sources with their visits and sales', async () => {
    await see(1, { search: '?utm_source=IG', referrer: 'https://l.instagram.com/' });
    await see(2, { referrer: 'https://www.google.com/' });
    await see(3, { referrer: `http://${new URL(site.origin).host}/` });
    await importSale({ id: 'a', amount: 9700, currency: 'USD', source: 'instagram' });
    clock += 1;
    const { sources } = await breakdown();
    const none = { ctaClicks: 0, callsBooked: 0, conversions: 0, revenue: 0 };
    expect(sources).toEqual([
      { ...none, source: 'instagram', pageViews: 1, conversions: 1, revenue: 97 },
      { ...none, pageViews: 1 },
      { ...none, source: 'google', pageViews: 1 },
    ]);
  });

  it('figures of a source, of a button and of both leave everything else out', async () => {
    const newsletter = { search: '?utm_source=newsletter' };
    await see(1, newsletter);
    await see(1, { ...newsletter, type: 'cta_click', button: 'hero' });
    await see(2);
    await see(2, { type: 'cta_click', button: 'hero' });
    await see(3, newsletter);
    await see(3, { ...newsletter, type: 'cta_click', button: 'audit' });
    const sale = { amount: 9700, currency: 'USD' };
    await importSale({ ...sale, id: 'a', source: 'newsletter', button: 'audit', refunded: 700 });
    await importSale({ ...sale, id: 'b', button: 'audit' });
    await importSale({ ...sale, id: 'c', currency: 'EUR', source: 'newsletter' });
    clock += 1;
    const figures = async (filter: Record<string, string>) => {
      const query = new URLSearchParams(filter);
      const answer = await site.fetch(`/api/analytics/dashboard?${query}`, { headers: { cookie } });
      const { summary, conversions, otherCurrencies, cash } = (await answer.json()) as Dashboard;
      const { pageViews, ctaClicks, totalRevenue, refundedRevenue, ctaConversionRate } = summary;
      const counts = [pageViews, ctaClicks, totalRevenue, refundedRevenue, ctaConversionRate];
      const sales = conversions.map(({ id }) => id).join(' ');
      const { days, sources, buttons } = await breakdown(filter);
      const sumOfDays = days.reduce((sum, { revenue }) => sum + revenue, 0);
      expect(sumOfDays).toBe(totalRevenue);
      return {
        counts,
        sales,
        others: otherCurrencies.length,
        cash: cash.length,
        sources: sources.map(({ source = 'direct', ctaClicks }) => `${source} ${ctaClicks}`),
        buttons: buttons.map(({ button, revenue }) => `${button} ${revenue}`),
      };
    };
    expect(await figures({})).toEqual({
      counts: [3, 3, 187, 7, 100],
      sales: 'c b a',
      others: 1,
      cash: 2,
      sources: ['direct 1', 'newsletter 2'],
      buttons: ['audit 187', 'hero 0'],
    });
    expect(await figures({ source: 'newsletter' })).toEqual({
      counts: [2, 2, 90, 7, 100],
      sales: 'c a',
      others: 1,
      cash: 0,
      sources: ['direct 1', 'newsletter 2'],
      buttons: ['audit 90', 'hero 0'],
    });
    expect(await figures({ source: 'direct' })).toMatchObject({
      counts: [1, 1, 97, 0, 100],
      sales: 'b',
      others: 0,
      buttons: ['audit 97', 'hero 0'],
    });
    expect(await figures({ button: 'audit' })).toEqual({
      counts: [0, 1, 187, 7, 0],
      sales: 'b a',
      others: 0,
      cash: 0,
      sources: ['direct 0', 'newsletter 1'],
      buttons: ['audit 187', 'hero 0'],
    });
    expect(await figures({ source: 'newsletter', button: 'audit' })).toMatchObject({
      counts: [0, 1, 90, 7, 0],
      sales: 'a',
    });
    expect(await figures({ source: 'never-seen' })).toMatchObject({
      counts: [0, 0, 0, 0, 0],
      sales: '',
    });
    const rows = await site.fetch(
      '/api/analytics/rows?kind=cta_click&source=newsletter&button=hero',
      {
        headers: { cookie },
      },
    );
    expect(await rows.json()).toMatchObject({
      counted: 1,
      rows: [{ source: 'newsletter', button: 'hero' }],
    });
  });

  it('figures of an empty source or button are invalid', async () => {
    for (const field of ['source', 'button']) {
      for (const call of ['dashboard', 'breakdown', 'months', 'rows']) {
        const answer = await site.fetch(`/api/analytics/${call}?kind=sale&${field}=`, {
          headers: { cookie },
        });
        expect([call, answer.status]).toEqual([call, 400]);
        expect(await answer.json()).toMatchObject({ issues: [{ path: field }] });
      }
    }
  });

  it('insights list the campaigns of a source, and a campaign is a filter', async () => {
    const search = '?utm_source=newsletter&utm_medium=email&utm_campaign=Spring';
    await see(1, { search });
    await see(1, { search, type: 'cta_click', button: 'hero' });
    await see(2, { search: '?utm_source=newsletter' });
    for (let n = 3; n < 35; n++) await see(n, { search: `?utm_source=ads&utm_campaign=c${n}` });
    const source = 'newsletter/email/spring';
    await importSale({ id: 'a', amount: 9700, currency: 'USD', source });
    clock += 1;
    const { sources } = await breakdown();
    const newsletter = { callsBooked: 0, ctaClicks: 1, conversions: 1, revenue: 97 };
    expect(sources[0]).toEqual({
      source: 'newsletter',
      ...newsletter,
      pageViews: 2,
      campaigns: [{ source, ...newsletter, pageViews: 1 }],
    });
    expect(sources[1]?.campaigns).toHaveLength(31);
    expect(sources[1]?.campaigns?.at(-1)).toMatchObject({ merged: 2, pageViews: 2 });
    const query = new URLSearchParams({ source });
    const answer = await site.fetch(`/api/analytics/dashboard?${query}`, { headers: { cookie } });
    const { summary, conversions } = (await answer.json()) as Dashboard;
    expect(summary).toMatchObject({ pageViews: 1, ctaClicks: 1, totalRevenue: 97 });
    expect(conversions).toMatchObject([{ source }]);
    const filtered = await breakdown({ source });
    expect(filtered.sources).toEqual(sources);
    expect(filtered.days.reduce((sum, { pageViews }) => sum + pageViews, 0)).toBe(1);
  });

  it('insights combine the sources after the thirtieth', async () => {
    for (let n = 0; n < 35; n++) await see(n, { search: `?utm_source=s${n}` });
    clock += 1;
    const { sources } = await breakdown();
    expect(sources).toHaveLength(31);
    expect(sources.at(-1)).toMatchObject({ merged: 5, pageViews: 5 });
    expect(sources.at(-1)).not.toHaveProperty('source');
  });

  it('insights compare with the previous period only when it was counted completely', async () => {
    await see(1);
    clock += 10 * day;
    await see(2);
    const since = (days: number) =>
      breakdown({ startDate: new Date(clock - days * day).toISOString() });
    const { previous, previousDays, days } = await since(5);
    expect(previous).toMatchObject({ pageViews: 1 });
    expect(previousDays.map(({ pageViews }) => pageViews)).toEqual([1, 0, 0, 0, 0, 0]);
    expect(previousDays.at(-1)?.asOf).toBe(days[0]?.startDate);
    expect(await since(6)).toMatchObject({
      previous: null,
      previousDays: [],
      // To the minute.
      countedSince: new Date(Math.floor((clock - 10 * day) / 60_000) * 60_000).toISOString(),
    });
  });

  it('insights list excluded counts by reason', async () => {
    const at = (n: number) => from(`192.0.2.${n}`);
    const view = { type: 'page_view' };
    await site.post('/api/activity', view, { ...at(1), 'user-agent': 'Googlebot/2.1' });
    await site.post('/api/activity', view, { ...at(1), 'user-agent': '' });
    await see(2, { automated: true });
    await site.post('/api/activity', view, { 'x-forwarded-for': '192.0.2.3' });
    await site.post('/api/activity', view, { ...at(4), 'sec-purpose': 'prefetch;prerender' });
    await site.post('/api/activity', view, { ...at(5), 'sec-fetch-site': 'cross-site' });
    await site.post('/api/activity', view, { ...at(6), 'sec-gpc': '1' });
    await see(7, { privacy: true });
    await site.post('/api/activity', view, { ...at(8), cookie });
    for (let n = 0; n < 123; n++) await see(9);
    clock += 1;
    // They are written after a second.
    await expect
      .poll(async () => (await breakdown()).excluded)
      .toEqual({
        bot: 2,
        automated: 2,
        prefetch: 1,
        foreign: 1,
        privacy: 2,
        owner: 1,
        rate: 3,
      });
    expect((await dashboard()).summary.pageViews).toBe(1);
  });

  it.each([
    ['timeZone', 'Mars/Base'],
    ['startDate', 'yesterday'],
    ['startDate', '0050-01-01T00:00:00Z'],
    ['asOf', '9999-12-31T23:59:59-23:00'],
  ])('insights return 400 for %s=%s', async (name, value) => {
    const query = new URLSearchParams({ [name]: value });
    const answer = await site.fetch(`/api/analytics/breakdown?${query}`, { headers: { cookie } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path: name }] });
  });

  it('insights return 401 without a session', async () => {
    expect((await site.fetch('/api/analytics/breakdown')).status).toBe(401);
  });
});

describe('money', () => {
  it("revenue is in whole units of the owner's currency, and other currencies stand beside it", async () => {
    await site.close();
    site = await openTestSite({
      env: { CONVERSION_KEY: key },
      now: () => clock,
      config: sampleWith({ currency: 'JPY' }),
    });
    cookie = await signIn(site);
    const sale = { source: 'podcast', timestamp: new Date(clock).toISOString() };
    await importSale({ ...sale, id: 'yen', amount: 9700, currency: 'JPY', refunded: 700 });
    await importSale({ ...sale, id: 'usd', amount: 4900, currency: 'USD' });
    clock += 1;
    expect(await dashboard()).toMatchObject({
      currency: 'JPY',
      summary: { conversions: 2, totalRevenue: 9000, refundedRevenue: 700 },
      otherCurrencies: [{ currency: 'USD', conversions: 1, revenue: 4900 }],
      cash: [
        { currency: 'JPY', taken: 9700, refunded: 700, lost: 0, tax: 0, fees: null },
        { currency: 'USD', taken: 4900, refunded: 0, lost: 0, tax: 0, fees: null },
      ],
    });
    const found = await site.fetch('/api/analytics/breakdown', { headers: { cookie } });
    expect(await found.json()).toMatchObject({
      sources: [{ source: 'podcast', conversions: 2, revenue: 9000 }],
    });
  });

  it('a fully refunded sale is neither counted nor listed as a conversion', async () => {
    const sale = { amount: 9700, currency: 'USD', timestamp: new Date(clock).toISOString() };
    await importSale({ ...sale, id: 'kept' });
    await importSale({ ...sale, id: 'in part', refunded: 700 });
    await importSale({ ...sale, id: 'in full', refunded: 9700 });
    await importSale({ ...sale, id: 'free', amount: 0 });
    clock += 1;
    const { summary, conversions } = await dashboard();
    expect(conversions.map(({ id }) => id).sort()).toEqual(['free', 'in part', 'kept']);
    expect(summary).toMatchObject({ conversions: 3, refundedRevenue: 104 });
  });

  it('as_of reports a lower refund', async () => {
    const sale = { id: 'a', amount: 9700, currency: 'USD' };
    await importSale({ ...sale, refunded: 700 });
    clock += 1000;
    const as_of = new Date(clock).toISOString();
    expect((await importSale({ ...sale, refunded: 100, disputed: 50, as_of })).status).toBe(200);
    expect((await dashboard()).summary).toMatchObject({
      totalRevenue: 96,
      refundedRevenue: 1,
      disputedRevenue: 0.5,
    });
    const refused = await importSale({ ...sale, as_of: '1999-12-31T00:00:00Z' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ issues: [{ path: 'as_of' }] });
  });

  it('doubted sales are listed until the owner settles them', async () => {
    const sale = { amount: 9700, currency: 'USD', email: 'ada@example.com' };
    for (const id of ['zap-1', 'zap-2']) await importSale({ ...sale, id });
    clock += 1;
    expect((await dashboard()).doubts).toMatchObject([
      { sales: [{ id: 'zap-1', conversionValue: 9700 }, { id: 'zap-2' }] },
    ]);
    const settle = (input: object, headers: Record<string, string> = { cookie }) =>
      site.post('/api/analytics/doubts', input, headers);
    const sales = ['zap-2', 'zap-1'];
    expect((await settle({ sales, isOneSale: true }, {})).status).toBe(401);
    expect((await settle({ sales: ['zap-1'], isOneSale: true })).status).toBe(400);
    const unknown = await settle({ sales: ['zap-1', 'other'], isOneSale: true });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ code: 'DOUBT_NOT_FOUND' });
    expect(await (await settle({ sales, isOneSale: true })).json()).toEqual({ ok: true });
    expect(await dashboard()).toMatchObject({ summary: { conversions: 1 }, doubts: [] });
    await settle({ sales, isOneSale: null });
    expect(await dashboard()).toMatchObject({ summary: { conversions: 2 }, doubts: [{}] });
  });
});

describe('the window', () => {
  it('the dashboard window starts exactly at startDate and ends now', async () => {
    await record('page_view', from('192.0.2.1'));
    const at = clock;
    clock += 5000;
    const views = async (ms: number) =>
      (await dashboard(new Date(ms).toISOString())).summary.pageViews;
    expect([await views(at), await views(at + 1), await views(at - 1)]).toEqual([1, 0, 1]);
    expect(await views(clock + day)).toBe(0);
  });

  it('startDate accepts any UTC offset', async () => {
    const { startDate, asOf } = await dashboard('2026-05-01T02:00:00+02:00');
    expect(startDate).toBe('2026-05-01T00:00:00.000Z');
    expect(asOf).toBe(new Date(clock).toISOString());
  });

  it('the dashboard window is thirty days without startDate', async () => {
    const { startDate } = await dashboard();
    expect(Date.parse(startDate)).toBe(clock - 30 * day);
  });
});
