/** Figures of single buttons and sources, on both engines. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { engines, freshStores } from '../../testing/engines.ts';
import type { Conversion, Filter, ImportedEvent, TimeWindow, Totals } from '../model.ts';
import { activities } from '../model.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const day = 24 * 60 * 60_000;
const always = { from: 0, to: noon + 1000 * day };

const moments = fc.integer({ min: noon - 3 * day, max: noon + 3 * day });
const sources = fc.constantFrom(null, 'podcast', 'newsletter');
const buttons = fc.constantFrom(null, 'hero' as const, 'audit' as const);

const randomEvents = fc.sample(
  fc.record<ImportedEvent>({
    activity: fc.constantFrom(...activities),
    at: moments,
    source: sources,
    button: buttons,
  }),
  { numRuns: 400, seed: 1 },
);
const randomSales = fc
  .sample(
    fc.record<Conversion>({
      id: fc.uuid(),
      at: moments,
      amount: fc.constant(4900),
      email: fc.constant(null),
      firstSource: fc.constant(null),
      source: sources,
      // Other checkouts may report any name.
      button: fc.constantFrom(null, 'hero', 'Thank-you page', '__proto__'),
      refunded: fc.constantFrom(0, 900, 4900),
      disputed: fc.constantFrom(0, 4000),
      currency: fc.constantFrom('USD', 'USD', 'EUR'),
    }),
    { numRuns: 60, seed: 2 },
  )
  .map(
    (sale): Conversion => ({
      ...sale,
      disputed: Math.min(sale.disputed, sale.amount - sale.refunded),
    }),
  );

describe.each(engines)('on $name', (engine) => {
  const { stores, runSql, openBeside } = freshStores(engine);

  beforeEach(async () => {
    await stores.analytics.importEvents(randomEvents);
    for (const sale of randomSales) await stores.sales.report(sale);
  });

  /** The totals of a window, counted one by one. */
  const rawCount = ({ from, to }: TimeWindow, { source, button }: Filter) => {
    const isCounted = (row: ImportedEvent | Conversion) =>
      row.at >= from &&
      row.at < to &&
      (source === undefined || row.source === source) &&
      (button === undefined || row.button === button);
    const counted = randomEvents.filter(isCounted);
    const sales = randomSales.filter(isCounted);
    const count = (name: ImportedEvent['activity']) =>
      counted.filter(({ activity }) => activity === name).length;
    const sum = (of: (sale: Conversion) => number) =>
      sales.filter(({ currency }) => currency === 'USD').reduce((n, sale) => n + of(sale), 0);
    return {
      pageViews: button === undefined ? count('page_view') : 0,
      ctaClicks: count('cta_click'),
      checkoutOpens: count('checkout_open'),
      callsBooked: count('call_booked'),
      conversions: sales.filter(({ amount, refunded }) => amount > refunded).length,
      revenue: sum(({ amount, refunded }) => amount - refunded),
      refunded: sum(({ refunded }) => refunded),
      disputed: sum(({ disputed }) => disputed),
    } satisfies Totals;
  };

  it('filtered totals equal a count of the rows in any window', async () => {
    const { analytics } = stores;
    await fc.assert(
      fc.asyncProperty(
        moments,
        moments,
        fc.record(
          {
            source: fc.constantFrom(null, 'podcast', 'newsletter', 'never seen'),
            button: fc.constantFrom('hero', 'audit', 'Thank-you page', '__proto__', 'steps'),
          },
          { requiredKeys: [] },
        ),
        async (a, b, filter) => {
          const window = { from: Math.min(a, b), to: Math.max(a, b) };
          const expected = rawCount(window, filter);
          expect(await analytics.totals(window, filter)).toEqual(expected);
          expect(await analytics.recount(window, filter)).toEqual(expected);
          expect((await analytics.money(window, filter)).totals).toEqual(expected);
        },
      ),
      { numRuns: process.env.TEST_LONG ? 200 : 40 },
    );
  });

  it('buttons of a source and sources of a button add up to its totals', async () => {
    const { analytics } = stores;
    const buttons = await analytics.buttons(always, { source: 'podcast' });
    expect(buttons).toEqual(await analytics.recountButtons(always, { source: 'podcast' }));
    for (const { button, ...totals } of buttons) {
      expect(await analytics.totals(always, { source: 'podcast', button })).toEqual(totals);
    }

    const ofHero = await analytics.sources(always, { button: 'hero' });
    expect(ofHero).toEqual(await analytics.recountSources(always, { button: 'hero' }));
    const hero = await analytics.totals(always, { button: 'hero' });
    expect(ofHero.reduce((sum, { revenue }) => sum + revenue, 0)).toBe(hero.revenue);
    expect((await analytics.buttons(always)).map(({ button }) => button)).toEqual([
      'Thank-you page',
      '__proto__',
      'audit',
      'hero',
    ]);
  });

  it('rows of a filter are listed page by page', async () => {
    const { analytics } = stores;
    const filter = { source: 'podcast', button: 'hero' };
    const expected = randomEvents
      .filter((event) => event.activity === 'cta_click' && event.button === 'hero')
      .filter(({ source }) => source === 'podcast')
      .map(({ at }) => at)
      .sort((a, b) => b - a);
    expect(expected.length).toBeGreaterThan(4);
    const first = await analytics.events('cta_click', always, { limit: 3, filter });
    const after = first.at(-1);
    const second = await analytics.events('cta_click', always, { limit: 100, filter, after });
    expect([...first, ...second].map(({ at }) => at)).toEqual(expected);
    const sales = await analytics.sales(always, { limit: 100, filter: { source: null } });
    expect(sales.map(({ at }) => at)).toEqual(
      randomSales
        .filter(({ source }) => source === null)
        .map(({ at }) => at)
        .sort((a, b) => b - a),
    );
  });

  it('buttons of earlier events and sales are counted after an update, once', async () => {
    const { analytics } = stores;
    const { signal } = new AbortController();
    const before = await analytics.buttons(always);
    await runSql('DELETE FROM button_counter');
    expect(await analytics.buttons(always)).toEqual([]);
    const beside = await openBeside();
    const counted = await Promise.all(
      [stores, beside].map((instance) => instance.analytics.countButtons(signal)),
    );
    await beside.close();
    expect(Math.max(...counted)).toBeGreaterThan(9);
    expect(await analytics.buttons(always)).toEqual(before);
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    expect(await analytics.countButtons(signal)).toBe(0);
  });

  it('nightly check counts the buttons that an earlier version left out', async () => {
    const { analytics } = stores;
    const before = await analytics.buttons(always);
    await runSql('DELETE FROM button_counter WHERE bucket < ?', [noon]);
    const { differences } = await analytics.compareCounters();
    expect(differences.length).toBeGreaterThan(9);
    expect(differences.every(({ button }) => button !== undefined)).toBe(true);
    expect(await analytics.compareCounters({ adopts: true })).toMatchObject({
      adopted: differences.length,
      differences: [],
    });
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    expect(await analytics.buttons(always)).toEqual(before);
  });
});
