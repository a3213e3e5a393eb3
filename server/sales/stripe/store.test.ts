/** Tests of the payment store on both databases. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../../testing/engines.ts';
import { rawFigures } from '../../testing/raw-figures.ts';
import { sampleSale } from '../../testing/sale.ts';
import {
  charge,
  dispute,
  event,
  ofPayment,
  refund,
  session,
  type TestEvent,
  timeOf,
} from '../../testing/stripe/events.ts';
import { paymentScenarios } from '../../testing/stripe/scenarios.ts';
import { saleOf } from '../fold.ts';
import { eventOf } from './facts.ts';

const never = new AbortController().signal;
const always = { from: 0, to: timeOf(10_000_000) };

describe.each(engines)('$name', (engine) => {
  const { stores, reopen, runSql } = freshStores(engine);

  const receive = (body: TestEvent) =>
    stores.payments.receive({
      event: eventOf(body),
      payload: JSON.stringify(body),
      receivedAt: timeOf(),
    });

  it('the payment store stores each event once, also after a restart', async () => {
    const completed = event('checkout.session.completed', session());
    expect(await Promise.all([receive(completed), receive(completed)])).toEqual([true, false]);
    await reopen();
    expect(await receive(completed)).toBe(false);
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 1, revenue: 9700 });
  });

  it('checkoutsSince lists checkouts whose events hold NUL or half a surrogate pair', async () => {
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

  it('unlistedRefundsAt returns the newest sum of refunds until an event about a refund is stored', async () => {
    const unlisted = (since: number) => stores.payments.unlistedRefundsAt(since, 60_000);
    for (const at of [0, 500]) {
      await receive(event('charge.refunded', charge({ amount_refunded: 900 }), at));
    }
    await receive(event('refund.created', refund(), 439));
    expect(await unlisted(timeOf(500))).toBe(timeOf(500));
    expect(await unlisted(timeOf(501))).toBeUndefined();
    await receive(event('charge.refund.updated', refund(), 440));
    expect(await unlisted(timeOf(500))).toBeUndefined();
  });

  it('rebuild counts what its events say, and leaves other sales alone', async () => {
    const events = [
      event('checkout.session.completed', session()),
      event('refund.created', refund(), 100),
    ];
    for (const n of [1, 2]) for (const body of ofPayment(events, n)) await receive(body);
    await runSql(`UPDATE conversion SET refunded = 0 WHERE id = 'pi_3TestAx1'`);
    await runSql(`DELETE FROM sale_entry WHERE sale = 'pi_3TestAx2'`);
    expect(await stores.sales.rebuild(AbortSignal.abort())).toBe(0);
    expect((await stores.sales.compare()).differences).toHaveLength(2);
    expect(await stores.sales.rebuild(never)).toBe(2);
    expect(await stores.payments.sale('pi_3TestAx1')).toMatchObject({ refunded: 2000 });
    expect(await stores.sales.compare()).toEqual({ checked: 2, differences: [], unconverted: [] });
    expect(await stores.sales.rebuild(never)).toBe(0);
  });

  it('test payments are counted, deleted with their sales, and live ones stay', async () => {
    const life = [
      event('checkout.session.completed', session({ custom_text: { a: false } })),
      event('refund.created', refund(), 100),
    ];
    for (const body of ofPayment(life, 1)) await receive(body);
    for (const body of ofPayment(life, 2)) await receive({ ...body, livemode: false });
    await receive({ ...event('customer.created', { id: 'cus_1' }), livemode: false });
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 2 });
    expect(await stores.payments.countTestSales()).toBe(1);
    const fee = { id: 'txn_2', at: timeOf(), amount: 311, currency: 'USD' };
    await stores.payments.addFees([{ ...fee, payment: 'pi_3TestAx2' }]);
    expect(await stores.payments.deleteTests(AbortSignal.abort())).toBe(0);
    expect(await stores.payments.deleteTests(never)).toBe(3);
    expect(await stores.payments.deleteTests(never)).toBe(0);
    expect(await stores.payments.countTestSales()).toBe(0);
    expect(await stores.payments.newestFee()).toBeUndefined();
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 1, revenue: 7700 });
    expect(await stores.payments.sale('pi_3TestAx1')).toBeDefined();
    expect(await stores.sales.compare()).toEqual({
      checked: 1,
      differences: [],
      unconverted: [],
    });
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
  });

  it('sales of other Payment Links are stored but not counted, and follow a change of the list', async () => {
    const sold = (n: number, change: Record<string, unknown>) =>
      ofPayment([event('checkout.session.completed', session(change))], n);
    const retainer = { payment_link: 'plink_other', amount_total: 350_000 };
    for (const body of [
      ...sold(1, {}),
      ...ofPayment([event('refund.created', refund(), 100)], 1),
      ...sold(2, retainer),
      ...ofPayment([event('charge.dispute.created', dispute({ amount: 350_000 }), 200)], 2),
      ...sold(3, { payment_link: null, currency: 'eur' }),
    ]) {
      await receive(body);
    }
    const everything = { conversions: 3, revenue: 7700 + 350_000, disputed: 350_000 };
    expect(await stores.analytics.totals(always)).toMatchObject(everything);
    expect((await stores.analytics.money(always)).otherSales).toEqual([]);

    const { analytics, payments, sales } = stores;
    await sales.setPaymentLinks(['plink_2', 'plink_1Test']);
    expect(await sales.rebuild(never)).toBe(2);
    expect(await sales.rebuild(never)).toBe(0);
    const product = { conversions: 1, revenue: 7700, refunded: 2000, disputed: 0 };
    expect(await analytics.totals(always)).toMatchObject(product);
    const { otherCurrencies, otherSales } = await analytics.money(always);
    expect(otherCurrencies).toEqual([]);
    expect(otherSales).toEqual([
      { currency: 'EUR', conversions: 1, revenue: 9700, gross: 9700 },
      { currency: 'USD', conversions: 1, revenue: 350_000, gross: 350_000 },
    ]);
    const listed = await analytics.sales(always, { limit: 10 });
    expect(listed.map(({ id }) => id)).toEqual(['pi_3TestAx1']);
    const exported = [];
    for await (const { id } of analytics.allConversions()) exported.push(id);
    expect(exported).toEqual(['pi_3TestAx1']);
    for (const body of sold(4, retainer)) {
      const payload = JSON.stringify(body);
      await payments.receive({ event: eventOf(body), payload, receivedAt: timeOf() });
    }
    expect(await analytics.totals(always)).toMatchObject(product);
    expect((await rawFigures(analytics)).totals(always)).toMatchObject(product);
    expect(await sales.compare()).toEqual({
      checked: 4,
      differences: [],
      unconverted: [],
    });
    expect((await analytics.compareCounters()).differences).toEqual([]);

    await sales.setPaymentLinks([]);
    expect(await stores.sales.rebuild(never)).toBe(3);
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 4 });
    expect((await stores.analytics.compareCounters()).differences).toEqual([]);
  });

  it('refunds and disputes in a third currency are reported, until they fail or are won', async () => {
    const euros = refund({ currency: 'eur' });
    await receive(event('checkout.session.completed', session()));
    const unconverted = async () => (await stores.sales.compare()).unconverted;
    expect(await unconverted()).toEqual([]);
    await receive(event('refund.created', euros, 100));
    expect(await unconverted()).toEqual(['pi_3TestA']);
    expect(await stores.payments.sale('pi_3TestA')).toMatchObject({ refunded: 0 });
    await receive(event('refund.failed', { ...euros, status: 'failed' }, 200));
    await receive(event('charge.dispute.created', dispute({ currency: 'gbp' }), 300));
    expect(await unconverted()).toEqual(['pi_3TestA']);
    await receive(event('charge.dispute.closed', dispute({ currency: 'gbp', status: 'won' }), 400));
    expect(await unconverted()).toEqual([]);
  });

  it('an event from Stripe replaces a sale that was reported for the same payment', async () => {
    await stores.sales.report(sampleSale({ id: 'pi_3TestA', at: timeOf(), amount: 1 }));
    // Until Stripe sends the payment's own event, the refund is one of the reported sale.
    await receive(event('refund.created', refund()));
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 0, refunded: 1 });
    await receive(event('checkout.session.completed', session()));
    expect(await stores.analytics.totals(always)).toMatchObject({ conversions: 1, revenue: 7700 });
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
  });

  it('concurrent events in any order result in the same totals', async () => {
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
      await Promise.all(sent.slice(i, i + 9).map((one) => receive(one)));
    }
    const sales = payments.flatMap(
      (events) => saleOf(events.flatMap((one) => eventOf(one).facts)) ?? [],
    );
    const dollars = sales.filter(({ currency }) => currency === 'USD');
    expect(await stores.analytics.totals(always)).toMatchObject({
      conversions: sales.filter(({ amount, refunded }) => amount > refunded || amount === 0).length,
      revenue: dollars.reduce((total, { amount, refunded }) => total + amount - refunded, 0),
      refunded: dollars.reduce((total, { refunded }) => total + refunded, 0),
      disputed: dollars.reduce((total, { disputed }) => total + disputed, 0),
    });
    const raw = await rawFigures(stores.analytics);
    expect(await stores.analytics.totals(always)).toEqual(raw.totals(always));
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
    expect(await stores.sales.compare()).toEqual({
      checked: new Set(sent.map((one) => eventOf(one).payment)).size,
      differences: [],
      unconverted: [],
    });
  });
});
