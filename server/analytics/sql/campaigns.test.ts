/** Figures of the campaigns of a source, on both engines. */

import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../../testing/engines.ts';
import { sampleSale } from '../../testing/sale.ts';
import type { ActivityEvent } from '../model.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const day = 24 * 60 * 60_000;
const always = { from: 0, to: noon + 1000 * day };

const paths = [
  ...['newsletter', 'newsletter/email', 'newsletter/email/spring', 'newsletter//spring'],
  ...['podcast', 'google/cpc/brand', null],
] as const;

const view = (n: number, source: string | null, at = noon): ActivityEvent => ({
  activity: 'page_view',
  button: null,
  source,
  at,
  visitor: String(n).padStart(32, '0'),
});

describe.each(engines)('on $name', (engine) => {
  const { stores, openBeside } = freshStores(engine);

  it('rows of a source have those of its campaigns, and rows of a campaign only its own', async () => {
    const { analytics, sales } = stores;
    const events = paths.map((path, i) => ({ ...view(i, path, noon + i), button: null }));
    await analytics.importEvents(events);
    for (const { at, source } of events) {
      await sales.report(sampleSale({ id: `${source}`, at, source, amount: 4900 }));
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
    const sale = sampleSale({ at: noon, amount: 4900, source: 'Newsletter / Email / Spring' });
    await stores.sales.report(sale);
    await stores.sales.report({ ...sale, refunded: 900 });
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
});
