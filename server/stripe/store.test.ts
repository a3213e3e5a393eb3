/** What every engine must do with payments. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { saleOf } from '../sales/fold.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { event, refund, session, type TestEvent, timeOf } from '../testing/stripe/events.ts';
import { paymentScenarios } from '../testing/stripe/situations.ts';
import { eventOf } from './facts.ts';

const always = { from: 0, to: timeOf(10_000_000) };

/** The same events of another payment: every id in them is its own. */
function ofPayment(events: TestEvent[], n: number): TestEvent[] {
  const text = JSON.stringify(events).replaceAll(/\b(evt|pi|re|du|ch|cs)_(\w+)/g, `$1_$2x${n}`);
  return JSON.parse(text);
}

describe.each(engines)('$name', (engine) => {
  const { stores, reopen } = freshStores(engine);

  const receive = (told: TestEvent) =>
    stores.payments.receive({
      event: eventOf(told),
      payload: JSON.stringify(told),
      receivedAt: timeOf(),
    });

  it('keeps each event once, over a restart', async () => {
    const told = event('checkout.session.completed', session());
    expect(await Promise.all([receive(told), receive(told)])).toEqual([true, false]);
    await reopen();
    expect(await receive(told)).toBe(false);
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 1, revenue: 9700 });
  });

  it('lists the checkouts since a moment, whatever stands in what was told of them', async () => {
    const strange = { submit: { message: 'cut off here: \0, and half of it: \ud800' } };
    await receive(event('checkout.session.completed', session({ custom_text: strange })));
    const listed = async (since: number, isLive: boolean) => {
      const found: string[] = [];
      for await (const payment of stores.payments.checkoutsSince(since, { isLive }))
        found.push(payment);
      return found;
    };
    expect(await listed(timeOf(-60), true)).toHaveLength(1);
    expect(await listed(timeOf(-59), true)).toEqual([]);
    expect(await listed(timeOf(-60), false)).toEqual([]);
  });

  it('takes a sale away again that was none', async () => {
    await stores.analytics.addConversion({
      ...{ id: 'pi_3TestA', at: timeOf(), amount: 1, refunded: 0, disputed: 0 },
      ...{ currency: 'USD', email: null, source: null, firstSource: null, control: null },
    });
    // Reported by another checkout, then told of by Stripe, whose word it is.
    await receive(event('refund.created', refund()));
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 1, revenue: 1 });
    await receive(event('checkout.session.completed', session()));
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 1, revenue: 7700 });
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
  });

  it('counts what the inbox says, whatever comes in whatever order, many at once', async () => {
    const payments = Object.values(paymentScenarios).map(({ events }, n) => ofPayment(events, n));
    const sent =
      fc.sample(
        fc.shuffledSubarray(
          payments.flatMap((events) => [...events, ...events]),
          {
            minLength: payments.flat().length * 2,
          },
        ),
        { numRuns: 1, seed: 7 },
      )[0] ?? [];
    for (let i = 0; i < sent.length; i += 9) {
      await Promise.all(sent.slice(i, i + 9).map((told) => receive(told)));
    }
    const sales = payments.flatMap(
      (events) =>
        saleOf(
          events.flatMap((told) => eventOf(told).facts),
          () => undefined,
        ) ?? [],
    );
    const dollars = sales.filter(({ currency }) => currency === 'USD');
    expect(await stores.analytics.totals(always)).toMatchObject({
      conversions: sales.filter(({ amount, refunded }) => amount > refunded || amount === 0).length,
      revenue: dollars.reduce((total, { amount, refunded }) => total + amount - refunded, 0),
      refunded: dollars.reduce((total, { refunded }) => total + refunded, 0),
      disputed: dollars.reduce((total, { disputed }) => total + disputed, 0),
    });
    expect(await stores.analytics.totals(always)).toEqual(await stores.analytics.recount(always));
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
    expect(await stores.payments.compare()).toEqual({
      checked: new Set(sent.map((told) => eventOf(told).payment)).size,
      differences: [],
    });
  });
});
