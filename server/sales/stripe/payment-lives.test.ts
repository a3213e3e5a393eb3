/** Random lives of payments, delivered to all instances of the site at the same moment, in any order. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { engines, postgres } from '../../testing/engines.ts';
import { openTestSite } from '../../testing/site.ts';
import { ofPayment, secret, signed, type TestEvent } from '../../testing/stripe/events.ts';
import { apiVersions, paymentLives } from '../../testing/stripe/payment-lives.ts';

const livesPerVersion = process.env.TEST_LONG ? 50 : 3;
const ordersPerLife = 4;

/** Each item once to three times, in a random order that the seed decides. */
const shuffledRepeats = <T>(items: readonly T[], seed: number): T[] => {
  const repeats = items.flatMap((item, i) =>
    Array.from({ length: 1 + ((i + seed) % 3) }, () => item),
  );
  const order = fc.shuffledSubarray(repeats, { minLength: repeats.length });
  return fc.sample(order, { numRuns: 1, seed })[0] ?? [];
};

it.each(engines)(
  'all instances on $name count each payment as the account does',
  async (engine) => {
    const database = await engine.create();
    const env = { ...database.env, STRIPE_WEBHOOK_SECRET: secret };
    const open = () => openTestSite({ env });
    // A folder has one instance.
    const sites = await Promise.all(engine === postgres ? [open(), open()] : [open()]);
    const stores = await database.open();

    const lives = apiVersions.flatMap((version, i) =>
      fc.sample(paymentLives(version), { numRuns: livesPerVersion, seed: 2026 + i }),
    );
    const payments = lives.flatMap((life) => Array.from({ length: ordersPerLife }, () => life));
    const deliveries = shuffledRepeats(
      payments.flatMap(({ events }, n) => ofPayment(events, n)),
      7,
    );
    const deliver = async (event: TestEvent, i: number) => {
      const body = JSON.stringify(event);
      const site = sites[i % sites.length];
      const headers = { 'stripe-signature': signed(body) };
      return (await site?.post('/api/webhooks/stripe', body, headers))?.status;
    };
    for (let i = 0; i < deliveries.length; i += 20) {
      const statuses = await Promise.all(deliveries.slice(i, i + 20).map(deliver));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }

    for (const [n, { sale }] of payments.entries()) {
      const counted = await stores.payments.sale(`pi_3TestAx${n}`);
      if (sale) expect(counted).toMatchObject(sale);
      else expect(counted).toBeUndefined();
    }
    expect(await stores.sales.compare()).toMatchObject({ differences: [] });
    expect((await stores.analytics.compareCounters()).differences).toEqual([]);
    await stores.close();
    await Promise.all(sites.map((site) => site.close()));
    await database.remove();
  },
  process.env.TEST_LONG ? 600_000 : 30_000,
);
