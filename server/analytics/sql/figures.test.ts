/** Figures of random windows and filters against the rows, on both engines. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run } from '../../database/database.ts';
import type { Sale } from '../../sales/sale.ts';
import { engines, freshStores } from '../../testing/engines.ts';
import { flatSources, rawFigures } from '../../testing/raw-figures.ts';
import { dayMs, hourMs, minuteMs } from '../../time/units.ts';
import { localDays } from '../local-days.ts';
import { activities, type Filter, type ImportedEvent } from '../model.ts';
import { hourOf } from '../time-window.ts';

const noon = Date.UTC(2026, 2, 10, 12);
/** Times of two days, and of three hours long before. */
const moment = fc.oneof(
  fc.integer({ min: noon - dayMs, max: noon + dayMs }),
  fc.integer({ min: noon - 300 * dayMs, max: noon - 300 * dayMs + 3 * hourMs }),
);
const paths = [
  ...['newsletter', 'newsletter/email', 'newsletter/email/spring', 'newsletter//spring'],
  ...['podcast', 'google/cpc/brand', null],
];
const source = fc.constantFrom(...paths);
const buttons = ['hero', 'audit', 'Thank-you page', '__proto__'] as const;
const randomEvent = fc
  .record({
    activity: fc.constantFrom(...activities),
    at: moment,
    source,
    button: fc.constantFrom(null, 'hero' as const, 'audit' as const),
  })
  .map(
    (event): ImportedEvent => (event.activity === 'page_view' ? { ...event, button: null } : event),
  );
const randomSale = fc
  .record<Sale>({
    id: fc.uuid(),
    at: moment,
    amount: fc.constantFrom(0, 4900),
    refunded: fc.constantFrom(0, 0, 900, 4900),
    disputed: fc.constantFrom(0, 0, 4000),
    currency: fc.constantFrom('USD', 'USD', 'EUR'),
    email: fc.constantFrom(null, 'ada@example.com'),
    source,
    firstSource: source,
    // Other checkouts may report any name.
    button: fc.constantFrom(null, ...buttons),
  })
  .map((sale) => {
    const refunded = Math.min(sale.refunded, sale.amount);
    return { ...sale, refunded, disputed: Math.min(sale.disputed, sale.amount - refunded) };
  });
const randomFilter: fc.Arbitrary<Filter> = fc.record(
  {
    source: fc.constantFrom(...paths, 'google', 'never seen'),
    button: fc.constantFrom(...buttons, 'steps'),
  },
  { requiredKeys: [] },
);

describe.each(engines)('on $name', (engine) => {
  const { stores, openBeside, withDatabase } = freshStores(engine);

  /** Writes of every kind, by two instances at once. */
  async function fill() {
    const beside = await openBeside();
    const both = [stores, beside] as const;
    const instance = (i: number) => both[i % 2] ?? stores;
    const events = fc.sample(randomEvent, { numRuns: 300, seed: 1 });
    const sales = fc.sample(randomSale, { numRuns: 80, seed: 2 });
    await Promise.all([
      ...[events.slice(0, 100), events.slice(100, 150)].map((part, i) =>
        instance(i).analytics.importEvents(part),
      ),
      ...events
        .slice(150)
        .map((event, i) =>
          instance(i).analytics.addEvent({ ...event, visitor: String(i % 60).padStart(32, '0') }),
        ),
      ...sales.map((sale, i) => instance(i).sales.report(sale)),
    ]);
    // Later refunds, events of a past day, an erased buyer.
    for (const [i, sale] of sales.slice(0, 20).entries()) {
      await instance(i).sales.report({ ...sale, refunded: sale.amount, disputed: 0 });
    }
    await beside.analytics.importEvents(events.slice(0, 20));
    await beside.sales.eraseBuyer('ada@example.com');
    await beside.close();
    return events;
  }

  it('figures of any window and filter are those of its rows, after every kind of write', async () => {
    const { analytics } = stores;
    const events = await fill();
    const bound = fc.oneof(moment, fc.constantFrom(...events.map(({ at }) => at)));
    for (const currency of ['USD', 'EUR']) {
      await analytics.setCurrency(currency);
      const raw = await rawFigures(analytics);
      await fc.assert(
        fc.asyncProperty(bound, bound, randomFilter, async (a, b, filter) => {
          const window = { from: Math.min(a, b), to: Math.max(a, b) };
          const days = localDays(
            { from: Math.max(window.from, noon - dayMs), to: window.to },
            'Asia/Kathmandu',
          );
          const windows = [window, ...days];
          const found = await analytics.breakdown(window, windows, filter);
          expect(found.totals).toEqual(windows.map((one) => raw.totals(one, filter)));
          expect(flatSources(found.sources)).toEqual(raw.sources(window, filter));
          expect(found.buttons).toEqual(raw.buttons(window, filter));
          expect((await analytics.money(window, filter)).totals).toEqual(found.totals[0]);
        }),
        { numRuns: 50 },
      );
    }
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
  });

  it('a window begins and ends at full hours where events were deleted', async () => {
    const { analytics } = stores;
    await fill();
    const raw = await rawFigures(analytics);
    expect(await analytics.prune(Math.floor(noon / dayMs) - 201)).toBeGreaterThan(50);
    await fc.assert(
      fc.asyncProperty(moment, moment, randomFilter, async (a, b, filter) => {
        const window = { from: Math.min(a, b), to: Math.max(a, b) };
        const bound = (at: number) => (at < noon - 200 * dayMs ? hourOf(at) : at);
        const { pageViews, ctaClicks, checkoutOpens, callsBooked } = raw.totals(
          { from: bound(window.from), to: bound(window.to) },
          filter,
        );
        expect(await analytics.totals(window, filter)).toEqual({
          ...raw.totals(window, filter),
          ...{ pageViews, ctaClicks, checkoutOpens, callsBooked },
        });
      }),
      { numRuns: 50 },
    );
    expect(await analytics.firstView()).toBeGreaterThanOrEqual(noon - 300 * dayMs);
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    await analytics.importEvents([
      { activity: 'page_view', at: noon - 300 * dayMs + minuteMs, source: null, button: null },
    ]);
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
  });

  it('rows of a filter are listed page by page', async () => {
    const { analytics } = stores;
    await fill();
    const window = { from: 0, to: noon + 2 * dayMs };
    const filter = { source: 'newsletter', button: 'hero' };
    const isListed = ({ source, button }: Pick<ImportedEvent, 'source' | 'button'>) =>
      source?.split('/')[0] === 'newsletter' && button === 'hero';
    const expected: number[] = [];
    for await (const event of analytics.allEvents()) {
      if (event.activity === 'cta_click' && isListed(event)) expected.unshift(event.at);
    }
    expect(expected.length).toBeGreaterThan(4);
    const first = await analytics.events('cta_click', window, { limit: 3, filter });
    const after = first.at(-1);
    const rest = await analytics.events('cta_click', window, { limit: 100, filter, after });
    expect([...first, ...rest].map(({ at }) => at)).toEqual(expected);
  });

  it.each([
    [
      'counts too much',
      'UPDATE counter SET n = n + 1 WHERE (source, button, kind, hour, slot) IN',
      1,
    ],
    ['is missing', 'DELETE FROM counter WHERE (source, button, kind, hour, slot) IN', 1],
    [
      'has another key',
      'UPDATE counter SET hour = hour + 360000000 WHERE (source, button, kind, hour, slot) IN',
      2,
    ],
    [
      'is of no source',
      'UPDATE counter SET source = 99 WHERE (source, button, kind, hour, slot) IN',
      2,
    ],
    [
      'is of no kind',
      'UPDATE counter SET kind = 99 WHERE (source, button, kind, hour, slot) IN',
      2,
    ],
    [
      'is of no button',
      `UPDATE counter SET button = 'none' WHERE (source, button, kind, hour, slot) IN`,
      2,
    ],
  ])('verification finds a counter that %s', async (_, statement, differences) => {
    const { analytics } = stores;
    await fill();
    const some = `(SELECT source, button, kind, hour, slot FROM counter WHERE slot = 0 AND n = 1
      AND NOT EXISTS (SELECT 1 FROM counter AS other WHERE other.slot > 0
        AND (other.source, other.button, other.kind, other.hour) = (counter.source, counter.button, counter.kind, counter.hour))
      ORDER BY source DESC, button DESC, kind, hour LIMIT 1)`;
    await withDatabase((database) => database.write(() => run(`${statement} ${some}`)));
    expect((await analytics.compareCounters()).differences).toHaveLength(differences);
  });

  it('verification finds an event that is missing in each of its counters', async () => {
    await fill();
    await withDatabase((database) =>
      database.write(() =>
        run(`DELETE FROM event WHERE (kind, at, serial) IN (
          SELECT kind, at, serial FROM event WHERE button IS NOT NULL
            AND source = (SELECT id FROM source WHERE name = 'google/cpc/brand') LIMIT 1)`),
      ),
    );
    // Of all sources, of its source and of its campaign; each with its button, too.
    expect((await stores.analytics.compareCounters()).differences).toHaveLength(6);
  });
});
