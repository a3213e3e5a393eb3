import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiters } from '../app/rate-limiters.ts';
import type { Stores } from '../stores/stores.ts';
import { engines, freshStores, postgres } from '../testing/engines.ts';
import { browser, openTestSite, signIn, type TestSite } from '../testing/site.ts';
import type { ActivityEvent } from './model.ts';
import { type CountVisitor, createVisitors } from './visitors.ts';

const day = 24 * 60 * 60_000;

describe.each(engines)('on $name', ({ create }) => {
  let clock: number;
  let sites: TestSite[];
  let testDatabase: Awaited<ReturnType<typeof create>>;
  beforeEach(async () => {
    clock = Date.UTC(2026, 4, 20, 8);
    testDatabase = await create();
    sites = [];
  });
  afterEach(async () => {
    for (const site of sites) await site.close();
    await testDatabase.remove();
  });
  const open = async () => {
    const site = await openTestSite({ env: testDatabase.env, now: () => clock });
    sites.push(site);
    return site;
  };

  /** Sends an event of browser number `n` of an address, within the rate limit. */
  const visit = async (site: TestSite, address: string, n: number, type = 'page_view') => {
    clock += 1000;
    const headers = {
      'user-agent': `${browser} Build/${n}`,
      'x-forwarded-for': address,
      'sec-fetch-site': 'same-origin',
    };
    expect((await site.post('/api/activity', { type }, headers)).status).toBe(204);
  };
  const figures = async (site: TestSite, cookie: string) => {
    clock += 1;
    const query = 'startDate=2026-05-20T00:00:00Z';
    const read = async (call: string) => {
      const answer = await site.fetch(`/api/analytics/${call}?${query}`, { headers: { cookie } });
      return answer.json();
    };
    const { pageViews, ctaClicks } = (await read('dashboard')).summary;
    return { pageViews, ctaClicks, excluded: (await read('breakdown')).excluded };
  };
  const expectFigures = async (site: TestSite, expected: Awaited<ReturnType<typeof figures>>) => {
    const cookie = await signIn(site, { origin: site.origin });
    await vi.waitFor(async () => expect(await figures(site, cookie)).toEqual(expected), 20_000);
  };

  it('an address with made-up browser names counts 100 visitors a day, and the rest are excluded as rate', async () => {
    const site = await open();
    // All of one /64 network.
    for (let n = 0; n < 102; n++) await visit(site, `2001:db8:1:1::${n + 1}`, n);
    for (const n of [0, 99, 100]) {
      await visit(site, '2001:db8:1:1::1', n);
      await visit(site, '2001:db8:1:1::1', n, 'cta_click');
    }
    await visit(site, '2001:db8:1:2::1', 0);
    await visit(site, '192.0.2.1', 0);
    clock += day;
    await visit(site, '2001:db8:1:1::1', 100);
    await expectFigures(site, { pageViews: 103, ctaClicks: 2, excluded: { rate: 4 } });
  });
});

const now = Date.UTC(2026, 4, 20, 8);
const always = { from: 0, to: now + 1 };
const capOf = ({ analytics, uses }: Stores) => {
  const { visitors } = createRateLimiters({
    uses,
    passwordHash: async () => undefined,
    secret: 'secret',
    now: () => now,
  });
  return createVisitors({ store: analytics, shared: visitors, now: () => now });
};
const event = { activity: 'page_view', button: null, source: null, at: now } as const;
/** The request of browser number `n` of an address. */
const from = (addressBlock: string, n: number) => ({ addressBlock, userAgent: `${n}`, host: '' });
/** Visitors `first` to `end` of one address, one after another; returns how many were counted. */
const come = async (countVisitor: CountVisitor, first: number, end: number) => {
  let counted = 0;
  for (let n = first; n < end; n++) {
    if (await countVisitor(event, from('192.0.2.1', n))) counted += 1;
  }
  return counted;
};

describe.each(engines)('an instance on $name', (engine) => {
  const { stores, reopen } = freshStores(engine);
  /** This many visitors at once; returns how many were counted. */
  const comeTogether = async (
    countVisitor: CountVisitor,
    count: number,
    block: string,
    first = 0,
  ) => {
    const all = Array.from({ length: count }, (_, n) =>
      countVisitor(event, from(block, first + n)),
    );
    return (await Promise.all(all)).filter(Boolean).length;
  };

  it('the visitor cap counts 100 concurrent visitors of an address', async () => {
    expect(await comeTogether(capOf(stores), 110, '192.0.2.1')).toBe(100);
    expect(await stores.analytics.totals(always)).toMatchObject({ pageViews: 100 });
  });

  it('the visitor cap counts 1,000 visitors of a /48 network over all its /64 networks', async () => {
    const countVisitor = capOf(stores);
    const counted = await Promise.all(
      Array.from({ length: 11 }, (_, n) =>
        comeTogether(countVisitor, 100, `2001:db8:1:${n}::/64`, 100 * n),
      ),
    );
    expect(counted.reduce((sum, n) => sum + n)).toBe(1000);
    expect(await stores.analytics.totals(always)).toMatchObject({ pageViews: 1000 });
    expect(await comeTogether(countVisitor, 1, '2001:db8:2:1::/64', 2000)).toBe(1);
  });

  it('the visitor cap recognizes visitors from before a restart', async () => {
    expect(await come(capOf(stores), 0, 90)).toBe(90);
    await reopen();
    expect(await come(capOf(stores), 0, 120)).toBe(100);
    expect(await stores.analytics.totals(always)).toMatchObject({ pageViews: 100 });
  });

  it('the visitor cap releases the slot of a visitor that could not be stored', async () => {
    const fails = { isStored: false };
    const { addEvent, isCounted, salt } = stores.analytics;
    const store = {
      isCounted,
      salt,
      addEvent: (event: ActivityEvent) =>
        fails.isStored ? addEvent(event) : Promise.reject(new Error('away')),
    };
    const countVisitor = createVisitors({ store, shared: undefined, now: () => now });
    for (let n = 0; n < 100; n++)
      await expect(come(countVisitor, n, n + 1)).rejects.toThrow('away');
    fails.isStored = true;
    expect(await come(countVisitor, 0, 120)).toBe(100);
  });
});

describe('instances on one database', () => {
  const { stores, openBeside } = freshStores(postgres);

  it('instances together count little more than 100 visitors of an address', async () => {
    const others = [await openBeside(), await openBeside()];
    const caps = [stores, ...others].map(capOf);
    // The office comes to all of them.
    for (const countVisitor of caps) expect(await come(countVisitor, 0, 60)).toBe(60);
    expect(await stores.analytics.totals(always)).toMatchObject({ pageViews: 60 });
    for (const [n, countVisitor] of caps.entries()) {
      await come(countVisitor, 1000 * (n + 1), 1000 * (n + 1) + 200);
    }
    const { pageViews } = await stores.analytics.totals(always);
    expect(pageViews).toBeGreaterThanOrEqual(100);
    expect(pageViews).toBeLessThanOrEqual(100 + 2 * 13);
    for (const countVisitor of caps) expect(await come(countVisitor, 0, 60)).toBe(60);
    await Promise.all(others.map((other) => other.close()));
  });
});
