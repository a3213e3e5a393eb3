import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../testing/engines.ts';
import { rawFigures } from '../testing/raw-figures.ts';
import { sampleSale } from '../testing/sale.ts';
import type { ImportedEvent } from './model.ts';
import { localMonths, monthsOf } from './months.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const at = (iso: string) => Date.parse(iso);

describe('local months', () => {
  it('local months start at the midnights of their zone, in summer and winter', () => {
    const months = localMonths(at('2026-11-24T14:35Z'), 'America/New_York');
    expect(months).toHaveLength(24);
    expect(months[0]).toEqual({
      month: '2024-12',
      from: at('2024-12-01T05:00Z'),
      to: at('2025-01-01T05:00Z'),
    });
    expect(months[10]).toMatchObject({
      month: '2025-10',
      from: at('2025-10-01T04:00Z'),
      to: at('2025-11-01T04:00Z'),
    });
    expect(months[23]).toEqual({
      month: '2026-11',
      from: at('2026-11-01T04:00Z'),
      to: at('2026-11-24T14:35Z'),
    });
  });

  it('local months begin the next month when its midnight has passed in the zone', () => {
    const last = (iso: string) => localMonths(at(iso), 'Asia/Kathmandu').at(-1);
    expect(last('2026-11-30T18:14Z')?.month).toBe('2026-11');
    expect(last('2026-11-30T18:15Z')).toMatchObject({ month: '2026-12' });
  });
});

describe.each(engines)('months on $name', (engine) => {
  const { stores } = freshStores(engine);

  const event = (iso: string, activity: ImportedEvent['activity'] = 'page_view') => ({
    activity,
    at: at(iso),
    button: null,
    source: null,
  });
  const sale = (id: string, iso: string, more: object = {}) =>
    stores.sales.report(sampleSale({ id, at: at(iso), ...more }));
  const open = (now: string, timeZone = 'America/New_York') =>
    monthsOf(stores.analytics, { now: at(now), timeZone });

  it('months equal a recount of the rows in every zone, also after the rows are deleted', async () => {
    const [start, now] = [at('2024-11-01T00:00Z'), at('2026-11-24T14:35:20Z')];
    // Seven hours and a minute apart, so that midnights fall before and after an event.
    const times = Array.from({ length: 2580 }, (_, i) => start + i * (7 * hour + 60_000));
    await stores.analytics.importEvents(
      times.map((time, i) => ({
        activity: i % 9 === 0 ? 'cta_click' : 'page_view',
        at: time,
        button: null,
        source: i % 2 === 0 ? 'podcast' : null,
      })),
    );
    await sale('a', '2025-03-01T04:59:59Z');
    await sale('b', '2025-03-01T05:00:00Z', { refunded: 700 });
    const zones = ['America/New_York', 'Asia/Kathmandu', 'UTC'];
    const readAll = () => Promise.all(zones.map((zone) => open('2026-11-24T14:35:20Z', zone)));
    const found = await readAll();
    const raw = await rawFigures(stores.analytics);
    for (const { timeZone, months } of found) {
      const windows = localMonths(now, timeZone);
      const recounts = windows.map((one) => raw.totals(one));
      expect(months.map(({ pageViews, ctaClicks }) => [pageViews, ctaClicks])).toEqual(
        recounts.map(({ pageViews, ctaClicks }) => [pageViews, ctaClicks]),
      );
    }
    expect(found[0]?.months.slice(2, 4)).toMatchObject([
      { month: '2025-02', conversions: 1, revenue: 97 },
      { month: '2025-03', conversions: 1, revenue: 90 },
    ]);
    expect(await stores.analytics.prune(now / day)).toBeGreaterThan(1000);
    const [newYork, kathmandu, utc] = await readAll();
    expect([newYork?.months, utc?.months]).toEqual([found[0]?.months, found[2]?.months]);
    // In Kathmandu, months begin a quarter of an hour after a full one: a view may move to the month before.
    const viewsOf = (one: (typeof found)[number] | undefined) =>
      one?.months.reduce((sum, { pageViews }) => sum + (pageViews ?? 0), 0);
    expect(viewsOf(kathmandu)).toBe(viewsOf(found[1]));
  });

  it('the year to date is compared with as much of the last year', async () => {
    await stores.analytics.importEvents([
      event('2024-12-31T12:00Z'),
      event('2025-01-01T05:00Z'),
      event('2025-11-24T14:34Z'),
      event('2025-11-24T14:35Z'),
      event('2026-01-01T04:59Z'),
      event('2026-02-01T12:00Z'),
      event('2026-02-01T12:00Z', 'cta_click'),
      event('2026-11-24T14:35:10Z'),
    ]);
    const { yearToDate, yearBefore, comparedUntil, asOf } = await open('2026-11-24T14:35:20Z');
    expect(asOf).toBe('2026-11-24T14:35:00.000Z');
    expect(comparedUntil).toBe('2025-11-24');
    expect(yearToDate).toEqual({ pageViews: 1, ctaClicks: 1, conversions: 0, revenue: 0 });
    expect(yearBefore).toEqual({ pageViews: 2, ctaClicks: 0, conversions: 0, revenue: 0 });
  });

  it('a leap day is compared with the year up to the end of February', async () => {
    await stores.analytics.importEvents([
      event('2026-12-01T00:00Z'),
      event('2027-02-28T23:59Z'),
      event('2027-03-01T00:00Z'),
    ]);
    const { yearBefore, comparedUntil } = await open('2028-02-29T12:00Z', 'UTC');
    expect([yearBefore.pageViews, comparedUntil]).toEqual([1, '2027-02-28']);
  });

  it('figures are null before counting began, sales apart from visits', async () => {
    const empty = await open('2026-11-24T14:35Z');
    expect(empty.countedSince).toBeNull();
    expect(empty.months.at(-1)).toMatchObject({ pageViews: null, revenue: null });
    await sale('a', '2025-01-10T12:00Z');
    await stores.analytics.importEvents([event('2026-09-12T12:00Z')]);
    const { months, yearBefore, countedSince } = await open('2026-11-24T14:35Z');
    expect(countedSince).toBe('2026-09-12T12:00:00.000Z');
    expect(months.map(({ pageViews }) => pageViews)).toEqual([...Array(21).fill(null), 1, 0, 0]);
    expect(months.slice(0, 3).map(({ revenue }) => revenue)).toEqual([null, 97, 0]);
    expect(yearBefore).toEqual({
      pageViews: null,
      ctaClicks: null,
      conversions: null,
      revenue: null,
    });
  });
});
