/** Several instances write to one database at the same moment, each in its own order. */

import { expect, it } from 'vitest';
import { type ActivityEvent, activities } from '../analytics/model.ts';
import { seeded } from '../contract/sample/seeded.ts';
import type { Stores } from '../stores/stores.ts';
import { freshStores, postgres } from '../testing/engines.ts';
import { sampleMessage } from '../testing/message.ts';
import { flatSources, rawFigures } from '../testing/raw-figures.ts';
import { sampleSale } from '../testing/sale.ts';

const { stores, openBeside } = freshStores(postgres);
const noon = Date.UTC(2026, 2, 10, 12);
const always = { from: 0, to: noon + 24 * 60 * 60_000 };

/** What each of so many instances does, all of them at once. */
async function beside(n: number, work: (instance: Stores, n: number) => Promise<unknown>) {
  const others = await Promise.all(Array.from({ length: n - 1 }, openBeside));
  await Promise.all([stores, ...others].map(work));
  await Promise.all(others.map((other) => other.close()));
}

const visitor = (n: number) => n.toString(16).padStart(32, '0');

it('visitor of four instances counts once', async () => {
  const visitors = 400;
  const sources = 20;
  await beside(4, async (instance, n) => {
    const random = seeded(`instance ${n}`);
    const events: ActivityEvent[] = [];
    for (let who = 0; who < visitors; who++) {
      for (const activity of activities) {
        events.push({
          activity,
          button: activity === 'cta_click' ? 'hero' : null,
          source: `source-${who % sources}`,
          visitor: visitor(who),
          at: noon + Math.floor(random() * 3_600_000),
        });
      }
    }
    events.sort(() => random() - 0.5);
    while (events.length > 0) {
      const some = events.splice(0, 50);
      await Promise.all(some.map((event) => instance.analytics.addEvent(event)));
    }
  });
  const { pageViews, ctaClicks, checkoutOpens, callsBooked } =
    await stores.analytics.totals(always);
  expect([pageViews, ctaClicks, checkoutOpens, callsBooked]).toEqual(
    activities.map(() => visitors),
  );
  expect(await stores.analytics.sources(always)).toHaveLength(sources);
  const raw = await rawFigures(stores.analytics);
  expect(flatSources(await stores.analytics.sources(always))).toEqual(raw.sources(always));
  expect((await stores.analytics.compareCounters()).differences).toEqual([]);
});

it('sale stored by four instances counts once, with all refunds', async () => {
  const sales = 40;
  await beside(4, async (stores) => {
    await Promise.all(
      Array.from({ length: sales }, async (_, n) => {
        const sale = sampleSale({
          id: `sale ${n}`,
          at: noon + n,
          amount: 4900,
          source: `shop-${n % 3}`,
        });
        await stores.sales.report(sale);
        await stores.sales.report({ ...sale, refunded: 900 });
      }),
    );
  });
  expect(await stores.analytics.totals(always)).toMatchObject({
    conversions: sales,
    revenue: sales * 4000,
    refunded: sales * 900,
  });
  expect((await stores.analytics.compareCounters()).differences).toEqual([]);
});

it('message sent to four instances is stored once and mailed by one', async () => {
  const count = 60;
  const kept: boolean[] = [];
  await beside(4, async ({ contact }, n) => {
    const added = Array.from({ length: count }, (_, i) =>
      contact.add(sampleMessage({ id: `${i} at ${n}`, receivedAt: noon + i }), {
        idempotencyKey: `draft ${i}`,
        email: { id: `email ${i}`, subject: 'S', blocks: [] },
      }),
    );
    kept.push(...(await Promise.all(added)));
  });
  expect(kept.filter(Boolean)).toHaveLength(count);
  expect(await stores.contact.count()).toBe(count);

  const claimed: string[] = [];
  await beside(4, async ({ mail }, n) => {
    for (;;) {
      // Their clocks differ by seconds.
      const now = noon + 1000 + 2000 * n;
      const email = await mail.claim({ now, lease: 300_000, longestWait: 3_600_000 });
      if (!email) return;
      claimed.push(email.id);
      await mail.sent(email.id, now);
    }
  });
  expect(claimed.toSorted()).toEqual(
    Array.from({ length: count }, (_, i) => `email ${i}`).toSorted(),
  );
});
