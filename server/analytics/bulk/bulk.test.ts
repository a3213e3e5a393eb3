/** Tests of bulk reads and imports on both databases. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sale } from '../../sales/sale.ts';
import { engines, freshStores } from '../../testing/engines.ts';
import { sampleSale } from '../../testing/sale.ts';
import type { Activity, ImportedEvent } from '../model.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const day = 24 * 60 * 60_000;
const always = { from: 0, to: noon + 1000 * day };

const hex = (name: string | number) => createHash('md5').update(`${name}`).digest('hex');
const past = (activity: Activity, at: number): ImportedEvent => ({
  activity,
  button: activity === 'cta_click' ? 'hero' : null,
  source: null,
  at,
});
const sale = (id: string, at = noon): Sale => sampleSale({ id, at, amount: 4900 });

describe.each(engines)('$name', (engine) => {
  const { stores, openBeside } = freshStores(engine);

  it('isEmpty returns true until something is stored', async () => {
    expect(await stores.analytics.isEmpty()).toBe(true);
    await stores.analytics.importEvents([]);
    await stores.analytics.salt(1, Buffer.alloc(32));
    expect(await stores.analytics.isEmpty()).toBe(true);
    await stores.analytics.importEvents([past('page_view', noon)]);
    expect(await stores.analytics.isEmpty()).toBe(false);
  });

  it('isEmpty returns false with a sale', async () => {
    await stores.sales.report(sale('a'));
    expect(await stores.analytics.isEmpty()).toBe(false);
  });

  it('imported events are added to stored ones', async () => {
    const { analytics } = stores;
    const twice = [past('page_view', noon), past('page_view', noon)];
    await analytics.addEvent({ ...past('cta_click', noon), visitor: hex(0) });
    await analytics.importEvents(twice);
    await analytics.importEvents([...twice, past('checkout_open', noon + day)]);
    expect(await analytics.totals(always)).toEqual({
      pageViews: 5,
      ctaClicks: 1,
      checkoutOpens: 1,
      callsBooked: 0,
      conversions: 0,
      revenue: 0,
      refunded: 0,
      disputed: 0,
    });
  });

  it('the sales list has every sale once, oldest first, over several pages', async () => {
    const moments = fc.sample(fc.integer({ min: noon, max: noon + 9 }), {
      // A page has 1,000.
      numRuns: process.env.TEST_LONG ? 2100 : 1050,
      seed: 1,
    });
    const sales = moments.map((at, n) => sale(`s${n}`, at));
    await Promise.all(sales.map((one) => stores.sales.report(one)));
    const listed: Sale[] = [];
    for await (const one of stores.analytics.allConversions()) listed.push(one);
    const inOrder = sales.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    expect(listed).toEqual(inOrder);
  });

  it('the sales list is empty without sales', async () => {
    for await (const _ of stores.analytics.allConversions()) expect.fail('There is a sale.');
  });

  it('a source gets one id when several processes store it at once', async () => {
    const beside = await openBeside();
    try {
      for (const [n, { analytics }] of [stores, beside, stores, beside].entries()) {
        // Of each pair at most one is new: the other process may have stored it first.
        for (const source of ['podcast', `blog-${n >> 1}`]) {
          const visitor = hex(`${source} ${n}`);
          await analytics.addEvent({ ...past('page_view', noon), source, visitor });
        }
      }
      const sources = await beside.analytics.sources(always);
      expect(sources.map(({ source, pageViews }) => [source, pageViews])).toEqual([
        ['podcast', 4],
        ['blog-0', 2],
        ['blog-1', 2],
      ]);
    } finally {
      await beside.close();
    }
  });

  it('counters equal a recount after any kind of write', async () => {
    const { analytics } = stores;
    expect(await analytics.compareCounters()).toMatchObject({ checked: 0, differences: [] });
    const moments = fc.sample(fc.integer({ min: noon - 40 * day, max: noon }), {
      numRuns: 300,
      seed: 2,
    });
    await analytics.importEvents(moments.map((at) => past('page_view', at)));
    await Promise.all(
      moments
        .slice(0, 50)
        .flatMap((at, n) => [
          analytics.addEvent({ ...past('checkout_open', at), visitor: hex(n) }),
          stores.sales.report({ ...sale(`s${n}`, at), currency: n % 2 ? 'USD' : 'EUR' }),
        ]),
    );
    const { checked, differences } = await analytics.compareCounters();
    expect(differences).toEqual([]);
    expect(checked).toBeGreaterThan(400);
  });
});
