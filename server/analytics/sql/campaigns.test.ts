/** Figures of the campaigns of a source, on both engines. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceIn } from '../../attribution/source-name.ts';
import { engines, freshStores } from '../../testing/engines.ts';
import {
  type ActivityEvent,
  activities,
  type Conversion,
  type ImportedEvent,
  type SourceTotals,
  type TimeWindow,
} from '../model.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const day = 24 * 60 * 60_000;
const always = { from: 0, to: noon + 1000 * day };

const paths = [
  ...['newsletter', 'newsletter/email', 'newsletter/email/spring', 'newsletter//spring'],
  ...['podcast', 'google/cpc/brand', null],
] as const;
const moments = fc.integer({ min: noon - 2 * day, max: noon + 2 * day });
const source = fc.constantFrom<string | null>(...paths);
const randomEvents = fc.array(
  fc.record<ImportedEvent>({
    activity: fc.constantFrom(...activities),
    at: moments,
    source,
    button: fc.constantFrom(null, 'hero' as const, 'audit' as const),
  }),
  { minLength: 50, maxLength: 150 },
);
const randomSales = fc.uniqueArray(
  fc.record<Conversion>({
    id: fc.uuid(),
    at: moments,
    amount: fc.constant(4900),
    disputed: fc.constant(0),
    email: fc.constant(null),
    firstSource: fc.constant(null),
    currency: fc.constant('USD'),
    source,
    button: fc.constantFrom(null, 'hero'),
    refunded: fc.constantFrom(0, 900, 4900),
  }),
  { minLength: 5, maxLength: 20, selector: ({ id }) => id },
);

const view = (n: number, source: string | null, at = noon): ActivityEvent => ({
  activity: 'page_view',
  button: null,
  source,
  at,
  visitor: String(n).padStart(32, '0'),
});

/** Views, clicks, calls, sales and revenue. */
const figuresOf = (totals: Omit<SourceTotals, 'source' | 'campaigns'>) => [
  ...[totals.pageViews, totals.ctaClicks, totals.callsBooked],
  ...[totals.conversions, totals.revenue],
];

const added = (lists: number[][]) =>
  lists.reduce((sum, list) => sum.map((n, i) => n + (list[i] ?? 0)), [0, 0, 0, 0, 0]);

describe.each(engines)('on $name', (engine) => {
  const { stores, openBeside, runSql } = freshStores(engine);

  it('campaigns and the visits without one add up to their source', async () => {
    const { analytics, sales } = stores;
    const events: ImportedEvent[] = [];
    const sold: Conversion[] = [];
    /** The figures of a path in a window, counted one by one. */
    const rawCount = ({ from, to }: TimeWindow, isWanted: (path: string | null) => boolean) => {
      const isIn = (row: ImportedEvent | Conversion) =>
        row.at >= from && row.at < to && isWanted(row.source);
      const count = (name: ImportedEvent['activity']) =>
        events.filter(isIn).filter(({ activity }) => activity === name).length;
      const made = sold.filter(isIn);
      return [
        ...[count('page_view'), count('cta_click'), count('call_booked')],
        made.filter(({ amount, refunded }) => amount > refunded).length,
        made.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0),
      ];
    };
    await fc.assert(
      fc.asyncProperty(
        ...[randomEvents, randomSales, moments, moments],
        async (moreEvents, moreSales, a, b) => {
          await analytics.importEvents(moreEvents);
          for (const sale of moreSales) await sales.report(sale);
          events.push(...moreEvents);
          sold.push(...moreSales);
          const window = { from: Math.min(a, b), to: Math.max(a, b) };
          const found = await analytics.sources(window);
          expect(found).toEqual(await analytics.recountSources(window));
          expect(found.filter(({ source }) => source?.includes('/'))).toEqual([]);
          expect(added(found.map(figuresOf))).toEqual(rawCount(window, () => true));
          for (const { source, campaigns = [], ...totals } of found) {
            const ofCampaigns = campaigns.map(figuresOf);
            const withoutCampaign = rawCount(window, (path) => path === source);
            expect(figuresOf(totals)).toEqual(added([withoutCampaign, ...ofCampaigns]));
            expect(await analytics.totals(window, { source })).toEqual(totals);
            for (const { source: path, ...ofCampaign } of campaigns) {
              expect(sourceIn(path ?? '')).toBe(source);
              expect(figuresOf(ofCampaign)).toEqual(rawCount(window, (one) => one === path));
              expect(await analytics.totals(window, { source: path })).toEqual(ofCampaign);
              expect(await analytics.recount(window, { source: path })).toEqual(ofCampaign);
            }
          }
        },
      ),
      { numRuns: process.env.TEST_LONG ? 50 : 6 },
    );
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    const ofHero = await analytics.sources(always, { button: 'hero' });
    expect(ofHero).toEqual(await analytics.recountSources(always, { button: 'hero' }));
    const newsletter = ofHero.find(({ source }) => source === 'newsletter');
    expect(newsletter?.campaigns?.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['newsletter/email', 'newsletter/email/spring', 'newsletter//spring']),
    );
    for (const { source: path, ...totals } of newsletter?.campaigns ?? []) {
      const filter = { source: path, button: 'hero' };
      expect(await analytics.totals(always, filter)).toEqual(totals);
    }
  });

  it('rows of a source have those of its campaigns, and rows of a campaign only its own', async () => {
    const { analytics, sales } = stores;
    const events = paths.map((path, i) => ({ ...view(i, path, noon + i), button: null }));
    await analytics.importEvents(events);
    for (const { at, source } of events) {
      await sales.report({
        id: `${source}`,
        at,
        source,
        amount: 4900,
        currency: 'USD',
        refunded: 0,
        disputed: 0,
        email: null,
        firstSource: null,
        button: null,
      });
    }
    const listed = async (source: string | null) => {
      const options = { limit: 3, filter: { source } };
      const rows = await analytics.events('page_view', always, options);
      const sold = await analytics.sales(always, options);
      expect(sold.map((sale) => sale.source)).toEqual(rows.map((row) => row.source));
      const after = rows[2] && { at: rows[2].at, key: rows[2].key };
      const rest = after ? await analytics.events('page_view', always, { ...options, after }) : [];
      return [...rows, ...rest].map((row) => row.source);
    };
    expect(await listed('newsletter')).toEqual(paths.slice(0, 4).toReversed());
    expect(await listed('newsletter/email')).toEqual(['newsletter/email']);
    expect(await listed('google')).toEqual(['google/cpc/brand']);
    expect(await listed('newsletter/email/autumn')).toEqual([]);
    expect(await listed(null)).toEqual([null]);
  });

  it('a click has the campaign of the first view of its day, in every process', async () => {
    const beside = await openBeside();
    const [spring, autumn] = ['newsletter/email/spring', 'newsletter/email/autumn'];
    for (const n of [1, 2]) {
      await stores.analytics.addEvent(view(n, spring));
      const clicked = { activity: 'cta_click', button: 'hero' } as const;
      await beside.analytics.addEvent({ ...view(n, autumn, noon + 5), ...clicked });
    }
    await beside.analytics.addEvent(view(3, autumn));
    await beside.close();
    expect(await stores.analytics.sources(always)).toMatchObject([
      {
        source: 'newsletter',
        pageViews: 3,
        ctaClicks: 2,
        campaigns: [
          { source: spring, pageViews: 2, ctaClicks: 2 },
          { source: autumn, pageViews: 1, ctaClicks: 0 },
        ],
      },
    ]);
    expect(await stores.analytics.buttons(always, { source: spring })).toMatchObject([
      { button: 'hero', ctaClicks: 2 },
    ]);
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
  });

  it('a sale moves with its campaign', async () => {
    const sale = { id: 'a', at: noon, amount: 4900, refunded: 0, disputed: 0, currency: 'USD' };
    const unknown = { email: null, firstSource: null, button: null };
    const source = 'Newsletter / Email / Spring';
    await stores.sales.report({ ...sale, ...unknown, source });
    await stores.sales.report({ ...sale, ...unknown, source, refunded: 900 });
    expect(await stores.analytics.sources(always)).toMatchObject([
      {
        source: 'newsletter',
        conversions: 1,
        revenue: 4000,
        campaigns: [{ source: 'newsletter/email/spring', conversions: 1, revenue: 4000 }],
      },
    ]);
    await stores.analytics.setCurrency('EUR');
    expect(await stores.analytics.sources(always)).toMatchObject([
      { revenue: 0, campaigns: [{ conversions: 1, revenue: 0 }] },
    ]);
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
  });

  it('new campaigns beyond a hundred a day count only for their source', async () => {
    const { analytics } = stores;
    const events = Array.from({ length: 130 }, (_, n) => view(n, `newsletter//c${n}`, noon + n));
    await Promise.all(events.map((event) => analytics.addEvent(event)));
    for (let n = 0; n < 5; n++) await analytics.addEvent(view(200 + n, `newsletter//d${n}`));
    // Names of sources have a limit of their own.
    await analytics.addEvent(view(300, 'podcast//e'));
    const [newsletter, podcast] = await analytics.sources(always);
    expect(newsletter).toMatchObject({ source: 'newsletter', pageViews: 135 });
    expect(newsletter?.campaigns).toHaveLength(100);
    expect(podcast).toMatchObject({ source: 'podcast', pageViews: 1 });
    expect(podcast).not.toHaveProperty('campaigns');
    await analytics.addEvent(view(400, 'podcast//e', noon + day));
    expect((await analytics.sources(always))[1]).toMatchObject({ campaigns: [{ pageViews: 1 }] });
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
  });

  it('nightly check counts for a source what an earlier version counted for its campaign only', async () => {
    const { analytics } = stores;
    const events = Array.from({ length: 9 }, (_, n) => view(n, 'newsletter/email', noon + n));
    await analytics.importEvents(events);
    const before = await analytics.sources(always);
    await runSql('DELETE FROM counter WHERE source = (SELECT id FROM source WHERE name = ?)', [
      'newsletter',
    ]);
    expect((await analytics.compareCounters()).differences).toHaveLength(2);
    expect(await analytics.compareCounters({ adopts: true })).toMatchObject({
      adopted: 2,
      differences: [],
    });
    expect(await analytics.sources(always)).toEqual(before);
    expect(await analytics.compareCounters()).toMatchObject({ differences: [] });
    await runSql('DELETE FROM counter WHERE source = (SELECT id FROM source WHERE name = ?)', [
      'newsletter/email',
    ]);
    expect((await analytics.compareCounters({ adopts: true })).differences).toHaveLength(2);
  });

  it('verify accepts a sale whose source had a slash before an update', async () => {
    await stores.sales.report({
      id: 'a',
      at: noon,
      amount: 4900,
      currency: 'USD',
      refunded: 0,
      disputed: 0,
      email: null,
      source: 'newsletter',
      firstSource: null,
      button: null,
    });
    await runSql(`UPDATE conversion SET source = 'News/letter' WHERE source = 'newsletter'`);
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
    await runSql(`UPDATE conversion SET source = 'podcast/letter'`);
    expect((await stores.analytics.compareCounters()).differences).not.toEqual([]);
  });
});
