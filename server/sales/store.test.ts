/** Tests of sales from reports and Stripe's events on both databases. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../testing/engines.ts';
import { flatSources, rawFigures } from '../testing/raw-figures.ts';
import { sampleSale } from '../testing/sale.ts';
import {
  charge,
  dispute,
  event,
  ofPayment,
  olderEvent,
  refund,
  session,
  type TestEvent,
  timeOf,
} from '../testing/stripe/events.ts';
import type { SaleReport } from './reports.ts';
import { eventOf } from './stripe/facts.ts';

const hour = 3600_000;
const day = 24 * hour;
const start = timeOf();
const always = { from: 0, to: start + 400 * day };
const never = new AbortController().signal;

const sale = (id: string, change: Partial<SaleReport> = {}): SaleReport =>
  sampleSale({ id, at: start, ...change });

describe.each(engines)('$name', (engine) => {
  const { stores, reopen, openBeside, runSql } = freshStores(engine);

  const receive = (body: TestEvent) =>
    stores.payments.receive({
      event: eventOf(body),
      payload: JSON.stringify(body),
      receivedAt: start + 300 * day,
    });
  const totals = () => stores.analytics.totals(always);
  const expectSound = async () => {
    expect(await stores.sales.compare()).toMatchObject({ differences: [] });
    expect(await stores.analytics.compareCounters()).toMatchObject({ differences: [] });
  };

  describe('reported sales', () => {
    it('a report with a time lowers a refund and sets a dispute, and older ones change nothing', async () => {
      await stores.sales.report(sale('a', { refunded: 5000 }));
      expect(await stores.sales.report(sale('a', { refunded: 2000 }))).toBe('known');
      const later = { refunded: 2000, disputed: 7700, asOf: start + 2 * day };
      expect(await stores.sales.report(sale('a', later))).toBe('changed');
      expect(await stores.sales.report(sale('a', later))).toBe('known');
      expect(await totals()).toMatchObject({ revenue: 7700, refunded: 2000, disputed: 7700 });
      await stores.sales.report(sale('a', { refunded: 9700, asOf: start + day }));
      expect(await totals()).toMatchObject({ revenue: 7700, refunded: 2000, disputed: 7700 });
      await stores.sales.report(sale('a', { refunded: 2000, asOf: start + 3 * day }));
      expect(await totals()).toMatchObject({ revenue: 7700, refunded: 2000, disputed: 0 });
      await expectSound();
    });

    it('a report with a time replaces a first one without, which may have arrived late', async () => {
      await stores.sales.report(sale('a', { at: start + day }));
      const earlier = { at: start + day, refunded: 9700, asOf: start + day - 60_000 };
      expect(await stores.sales.report(sale('a', earlier))).toBe('changed');
      expect(await totals()).toMatchObject({ revenue: 0, refunded: 9700 });
      await expectSound();
    });

    it('a report from the future counts from its arrival on, and can be corrected', async () => {
      const now = start + day;
      await stores.sales.report(sale('a'), now);
      const ahead = { refunded: 9700, asOf: now + 23 * hour };
      await stores.sales.report(sale('a', ahead), now);
      const money = await stores.analytics.money({ from: 0, to: now + 1 });
      expect(money.cash).toMatchObject([{ refunded: 9700 }]);
      await stores.sales.report(sale('a', { refunded: 0, asOf: now + hour }), now + hour);
      expect(await totals()).toMatchObject({ refunded: 0 });
      await expectSound();
    });

    it('a report in another currency than the first one changes nothing', async () => {
      await stores.sales.report(sale('a', { amount: 1_500_000, currency: 'JPY' }));
      const dollars = sale('a', { amount: 9700, refunded: 9700 });
      expect(await stores.sales.report(dollars)).toBe('otherCurrency');
      expect(await stores.payments.sale('a')).toMatchObject({ refunded: 0, currency: 'JPY' });
    });

    it('known sales have the currency of their report', async () => {
      await stores.sales.report(sale('yen', { currency: 'JPY' }));
      await receive(event('checkout.session.completed', session()));
      await stores.sales.report(sale('yen', { currency: 'JPY', refunded: 900 }));
      const known = await stores.sales.known(['yen', 'pi_3TestA', 'new']);
      expect(Object.fromEntries(known)).toEqual({
        yen: { currency: 'JPY', amount: 9700, refunded: 900 },
        pi_3TestA: { currency: undefined, amount: expect.any(Number), refunded: 0 },
      });
    });

    it('reports that say the same again and again add no rows', async () => {
      const poll = (n: number, refunded: number) =>
        stores.sales.report(sale('a', { refunded, asOf: start + n * hour }));
      for (let n = 0; n < 50; n++) await poll(n, n < 25 ? 0 : 2000);
      for (let n = 0; n < 50; n++) await poll(n, n < 25 ? 0 : 2000);
      expect(await totals()).toMatchObject({ refunded: 2000 });
      await expectSound();
      expect(await runSql('DELETE FROM sale_report')).toBe(4);
    });

    it('the higher of two reports of one time replaces the lower one between equal reports', async () => {
      const reports = (hours: number[], refunded: number) =>
        hours.map((n) => ({ refunded, asOf: start + n * hour }));
      const [lower, higher] = [reports([2], 0), reports([2], 5000)];
      const around = reports([0, 1, 3, 4], 5000);
      for (const one of [...lower, ...around]) await stores.sales.report(sale('a', one));
      for (const one of [...higher, ...lower, ...around]) await stores.sales.report(sale('b', one));
      expect(await stores.sales.report(sale('a', { ...higher[0] }))).toBe('changed');
      expect(await stores.payments.sale('a')).toEqual(await stores.payments.sale('b'));
      expect(await totals()).toMatchObject({ conversions: 2, refunded: 10_000 });
      await expectSound();
      expect(await runSql(`DELETE FROM sale_report WHERE id = 'a'`)).toBe(2);
    });

    it('reports with a time result in the same sale in any order', async () => {
      const states = [
        [0, 0, 0],
        [1, 5000, 0],
        [2, 0, 4000],
        [3, 5000, 0],
        [4, 5000, 4700],
        [5, 300, 0],
        [5, 200, 100],
        [5, 300, 100],
      ] as const;
      const reports = states.map(([hours, refunded, disputed]) => ({
        refunded,
        disputed,
        asOf: start + hours * hour,
      }));
      const expected: unknown[] = [];
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray([...reports, ...reports], { minLength: 2 * reports.length }),
          async (sent) => {
            const id = `order-${expected.length}`;
            for (const one of sent) await stores.sales.report(sale(id, one));
            expected.push(await stores.payments.sale(id));
            expect(expected.at(-1)).toEqual(expected[0]);
          },
        ),
        { numRuns: 15 },
      );
      expect(expected[0]).toMatchObject({ refunded: 300, disputed: 100 });
      await expectSound();
    });

    it('reports that contradict each other about one time result in the same sums in any order', async () => {
      const report = fc.record({
        asOf: fc.nat(3).map((n) => start + n * hour),
        refunded: fc.constantFrom(0, 2000, 5000),
      });
      let n = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(report, { minLength: 6, maxLength: 9 }), async (reports) => {
          n += 1;
          const orders = [reports, reports.toReversed(), [...reports, ...reports]];
          const found = await Promise.all(
            orders.map(async (order, i) => {
              const id = `contradicted-${n}-${i}`;
              for (const one of order) await stores.sales.report(sale(id, one));
              const { refunded, entries } = (await stores.payments.sale(id)) ?? {};
              // Only the dates of its parts can differ.
              expect(entries?.reduce((sum, { amount }) => sum + amount, 0)).toBe(refunded);
              return refunded;
            }),
          );
          expect(new Set(found).size).toBe(1);
        }),
        { numRuns: 6 },
      );
      await expectSound();
    });

    it("Stripe's refunds and disputes apply to a sale that was reported under the payment's id", async () => {
      await receive(event('refund.created', refund({ id: 're_1', amount: 1000 }), 100));
      expect(await totals()).toMatchObject({ conversions: 0 });
      await stores.sales.report(sale('pi_3TestA', { refunded: 500, disputed: 100 }));
      expect(await totals()).toMatchObject({ conversions: 1, refunded: 1000, disputed: 100 });
      await receive(event('charge.dispute.created', dispute({ amount: 4000 }), 200));
      expect(await totals()).toMatchObject({ refunded: 1000, disputed: 4000 });
      await receive(event('charge.dispute.closed', dispute({ amount: 4000, status: 'lost' }), 300));
      expect(await totals()).toMatchObject({ revenue: 4700, refunded: 5000, disputed: 0 });
      await stores.sales.report(sale('pi_3TestA', { refunded: 6000 }));
      expect(await totals()).toMatchObject({ revenue: 3700, refunded: 6000 });
      await expectSound();
    });

    it('a report of a sale that Stripe has reported changes nothing', async () => {
      await receive(event('checkout.session.completed', session()));
      expect(await stores.sales.report(sale('pi_3TestA', { amount: 1, source: 'zap' }))).toBe(
        'known',
      );
      expect(await totals()).toMatchObject({ conversions: 1, revenue: 9700 });
      await expectSound();
    });

    it('a refund of a reported sale in another currency than the sale is reported to the owner', async () => {
      await stores.sales.report(sale('pi_3TestA', { currency: 'EUR' }));
      await receive(event('refund.created', refund(), 100));
      expect((await stores.sales.compare()).unconverted).toEqual(['pi_3TestA']);
    });
  });

  it.each<[string, TestEvent[], object]>([
    [
      'a refund that failed is reported as succeeded later',
      [
        event('refund.failed', refund({ status: 'failed' }), 300),
        event('refund.updated', refund({ status: 'succeeded' }), 400),
      ],
      { revenue: 9700, refunded: 0 },
    ],
    [
      'two sessions have one payment',
      [event('checkout.session.completed', session({ id: 'cs_live_2', amount_total: 8000 }), 300)],
      { revenue: 9700, conversions: 1 },
    ],
  ])('a sale is right and agrees with its events when %s', async (_name, events, expected) => {
    const [first, ...rest] = [event('checkout.session.completed', session()), ...events];
    for (const body of [...rest, ...(first ? [first] : [])]) await receive(body);
    expect(await totals()).toMatchObject(expected);
    await expectSound();
  });

  describe('cash', () => {
    const cash = async (from: number, to: number) =>
      (await stores.analytics.money({ from: start + from * day, to: start + to * day })).cash;
    const nothing = { taken: 0, refunded: 0, lost: 0, tax: 0, fees: null };

    it('money counts by its own date: payments, refunds, lost disputes, tax and fees', async () => {
      await stores.analytics.setCurrency('EUR');
      const tax = { total_details: { amount_tax: 1549 } };
      await receive(event('checkout.session.completed', session({ currency: 'eur', ...tax })));
      const euros = { currency: 'eur', amount: 2000, created: timeOf(10 * 86_400) / 1000 };
      await receive(event('refund.created', refund(euros), 10 * 86_400));
      const lost = dispute({ currency: 'eur', amount: 3000, status: 'lost' });
      await receive(event('charge.dispute.closed', lost, 20 * 86_400));
      await stores.sales.report(sale('usd', { at: start + day }));
      const fee = { payment: 'pi_3TestA', currency: 'EUR' };
      await stores.payments.addFees([
        { ...fee, id: 'txn_1', at: start, amount: 310 },
        { ...fee, id: 'txn_1', at: start, amount: 310 },
        { ...fee, id: 'txn_2', at: start + 20 * day, amount: 1500 },
        { ...fee, id: 'txn_3', at: start, amount: 99, payment: 'pi_of_something_else' },
      ]);
      expect(await cash(0, 5)).toEqual([
        { ...nothing, currency: 'EUR', taken: 9700, tax: 1549, fees: 310 },
        { ...nothing, currency: 'USD', taken: 9700 },
      ]);
      expect(await cash(5, 15)).toEqual([{ ...nothing, currency: 'EUR', refunded: 2000 }]);
      expect(await cash(15, 25)).toEqual([{ ...nothing, currency: 'EUR', lost: 3000, fees: 1500 }]);
      expect(await cash(25, 400)).toEqual([]);
      await expectSound();
    });

    it('refunds that only sums report count at the time of the event that first says so', async () => {
      await receive(event('checkout.session.completed', session()));
      await receive(olderEvent('charge.refunded', charge({ amount_refunded: 5000 }), 8 * 86_400));
      await receive(olderEvent('charge.refunded', charge({ amount_refunded: 2000 }), 4 * 86_400));
      expect(await cash(3, 5)).toEqual([{ ...nothing, currency: 'USD', refunded: 2000 }]);
      expect(await cash(7, 9)).toEqual([{ ...nothing, currency: 'USD', refunded: 3000 }]);
    });

    it('a refund that was reported too high is taken back at the time of the correction', async () => {
      await stores.sales.report(sale('a'));
      await stores.sales.report(sale('a', { refunded: 5000, asOf: start + 4 * day }));
      await stores.sales.report(sale('a', { refunded: 1000, asOf: start + 8 * day }));
      expect(await cash(3, 5)).toEqual([{ ...nothing, currency: 'USD', refunded: 5000 }]);
      expect(await cash(7, 9)).toEqual([{ ...nothing, currency: 'USD', refunded: -4000 }]);
      expect(await cash(0, 9)).toMatchObject([{ taken: 9700, refunded: 1000 }]);
    });

    it('sales of something else count nothing', async () => {
      await stores.sales.setPaymentLinks(['plink_other']);
      await receive(event('checkout.session.completed', session()));
      await receive(event('refund.created', refund(), 100));
      await stores.sales.rebuild(never);
      expect(await cash(0, 400)).toEqual([]);
    });
  });

  describe('currency', () => {
    it("sales count in the owner's currency, also those before it changed", async () => {
      await stores.sales.report(sale('usd', { source: 'podcast', refunded: 700 }));
      await stores.sales.report(sale('eur', { currency: 'EUR', amount: 5000, disputed: 400 }));
      await stores.sales.report(sale('yen', { currency: 'JPY', amount: 1200 }));
      expect(await totals()).toMatchObject({ conversions: 3, revenue: 9000, refunded: 700 });
      const others = async () =>
        (await stores.analytics.money(always)).otherCurrencies.map(({ currency }) => currency);
      expect(await others()).toEqual(['EUR', 'JPY']);

      await stores.analytics.setCurrency('EUR');
      await reopen();
      expect(await stores.analytics.currency()).toBe('EUR');
      expect(await totals()).toMatchObject({
        conversions: 3,
        revenue: 5000,
        refunded: 0,
        disputed: 400,
      });
      const raw = await rawFigures(stores.analytics);
      expect(await totals()).toEqual(raw.totals(always));
      expect(flatSources(await stores.analytics.sources(always))).toEqual(raw.sources(always));
      expect(await others()).toEqual(['JPY', 'USD']);
      await stores.sales.report(sale('eur', { currency: 'EUR', refunded: 1000 }));
      expect(await totals()).toMatchObject({ revenue: 4000, refunded: 1000 });
      await expectSound();

      await stores.analytics.setCurrency('USD');
      expect(await totals()).toMatchObject({ conversions: 3, revenue: 9000, refunded: 700 });
      await expectSound();
    });

    it('sales that another instance counts during a change of currency count in the new one', async () => {
      const other = await openBeside();
      const report = (n: number) =>
        (n % 2 ? stores : other).sales.report(
          sale(`s${n}`, { currency: n % 3 ? 'EUR' : 'USD', at: start + n * hour }),
        );
      await Promise.all(Array.from({ length: 60 }, (_, n) => report(n)));
      await Promise.all([
        other.analytics.setCurrency('EUR'),
        ...Array.from({ length: 60 }, (_, n) => report(60 + n)),
        stores.analytics.setCurrency('EUR'),
      ]);
      expect(await totals()).toMatchObject({ conversions: 120, revenue: 80 * 9700 });
      await expectSound();
      await other.close();
    });
  });

  describe('doubts', () => {
    const twins = async () => {
      await receive(event('checkout.session.completed', session()));
      await stores.sales.report(sale('zap-1', { at: start + 40_000, email: 'Ada@Example.com' }));
      return ['zap-1', 'pi_3TestA'] as [string, string];
    };
    const listed = async () =>
      (await stores.analytics.doubts()).map((pair) => pair.map(({ id }) => id));

    it('two sales of the same buyer, amount and minute are in doubt until the owner decides', async () => {
      const ids = await twins();
      expect(await listed()).toEqual([['pi_3TestA', 'zap-1']]);
      expect(await totals()).toMatchObject({ conversions: 2, revenue: 19_400 });

      expect(await stores.sales.decideDoubt(ids, true)).toBe(true);
      expect(await listed()).toEqual([]);
      expect(await totals()).toMatchObject({ conversions: 1, revenue: 9700 });
      expect(await stores.payments.sale('zap-1')).toMatchObject({ origin: 'other' });
      await receive(event('refund.created', refund(), 100));
      await stores.sales.report(sale('zap-1', { refunded: 2000 }));
      expect(await stores.sales.rebuild(never)).toBe(0);
      expect(await totals()).toMatchObject({ conversions: 1, revenue: 7700, refunded: 2000 });
      await expectSound();

      expect(await stores.sales.decideDoubt(ids, null)).toBe(true);
      expect(await totals()).toMatchObject({ conversions: 2, revenue: 15_400 });
      expect(await listed()).toEqual([['pi_3TestA', 'zap-1']]);
      expect(await stores.sales.decideDoubt(ids, false)).toBe(true);
      expect(await listed()).toEqual([]);
      expect(await totals()).toMatchObject({ conversions: 2 });
      await expectSound();
    });

    it('the sale from Stripe stays of two, and of three only those that the owner dropped go', async () => {
      const ids = await twins();
      await stores.sales.report(sale('zap-2', { email: 'ada@example.com' }));
      expect(await listed()).toHaveLength(3);
      await stores.sales.decideDoubt(ids, true);
      expect(await listed()).toEqual([['pi_3TestA', 'zap-2']]);
      await stores.sales.decideDoubt(['pi_3TestA', 'zap-2'], true);
      expect(await totals()).toMatchObject({ conversions: 1, revenue: 9700 });
      expect(await stores.payments.sale('pi_3TestA')).toMatchObject({ origin: 'payment' });
    });

    it('a pair lists the sale first that would stay, also when it is the later one', async () => {
      await receive(event('checkout.session.completed', session()));
      const email = 'ada@example.com';
      await stores.sales.report(sale('zap-1', { at: start - 20_000, email }));
      expect(await listed()).toEqual([['pi_3TestA', 'zap-1']]);
    });

    it.each([
      ['the buyer differs', { email: 'bob@example.com' }],
      ['there is no buyer', { email: null }],
      ['the amount differs', { amount: 9800 }],
      ['the currency differs', { currency: 'EUR' }],
      ['more than a minute lies between', { at: start + 61_000 }],
    ])('two sales are not in doubt when %s', async (_name, change) => {
      await receive(event('checkout.session.completed', session()));
      await stores.sales.report(sale('zap-1', { email: 'ada@example.com', ...change }));
      expect(await listed()).toEqual([]);
      expect(await stores.sales.decideDoubt(['zap-1', 'pi_3TestA'], true)).toBe(false);
      expect(await totals()).toMatchObject({ conversions: 2 });
    });

    it('of three equal sales one stays, whichever pairs are counted once', async () => {
      const email = 'ada@example.com';
      for (const [n, id] of ['z', 'y', 'x'].entries()) {
        await stores.sales.report(sale(id, { at: start + n, email }));
      }
      const pairs = (await listed()) as [string, string][];
      expect(pairs).toHaveLength(3);
      const decided = [];
      for (const ids of pairs) decided.push(await stores.sales.decideDoubt(ids, true));
      expect(decided.filter(Boolean)).toHaveLength(2);
      expect(await totals()).toMatchObject({ conversions: 1, revenue: 9700 });
      expect(await listed()).toEqual([]);
      await expectSound();
    });

    it('of 24 equal sales one stays when each listed pair is counted once', async () => {
      for (let n = 0; n < 24; n++) {
        await stores.sales.report(sale(`s${n}`, { at: start + n, email: 'ada@example.com' }));
      }
      let decisions = 0;
      for (let pairs = await listed(); pairs.length > 0; pairs = await listed()) {
        await stores.sales.decideDoubt(pairs.at(decisions % 2 ? 0 : -1) as [string, string], true);
        decisions += 1;
      }
      expect(decisions).toBe(23);
      expect(await totals()).toMatchObject({ conversions: 1, revenue: 9700 });
      await expectSound();
    });

    it('no pair is missing between a sale with few equal ones and one with many', async () => {
      const times = [0, ...Array.from({ length: 21 }, (_, n) => 61_000 + n), 50_000];
      for (const [n, after] of times.entries()) {
        await stores.sales.report(sale(`s${n}`, { at: start + after, email: 'ada@example.com' }));
      }
      await expectSound();
    });

    it('a decision that is sent again changes nothing', async () => {
      const ids = await twins();
      for (let n = 0; n < 3; n++) {
        expect(await stores.sales.decideDoubt(ids, true)).toBe(true);
        expect(await stores.payments.sale('pi_3TestA')).toMatchObject({ origin: 'payment' });
        expect(await stores.payments.sale('zap-1')).toMatchObject({ origin: 'other' });
      }
      expect(await stores.sales.decideDoubt(ids, false)).toBe(true);
      expect(await totals()).toMatchObject({ conversions: 2 });
      expect(await stores.sales.decideDoubt(ids, true)).toBe(true);
      expect(await stores.payments.sale('pi_3TestA')).toMatchObject({ origin: 'payment' });
    });

    it('pairs that are no longer the same leave room for others', async () => {
      for (let n = 0; n < 25; n++) {
        const email = `buyer${n}@example.com`;
        const pair = [`a${n}`, `b${n}`] as [string, string];
        for (const id of pair) await stores.sales.report(sale(id, { email }));
        await stores.sales.eraseBuyer(email);
        expect(await stores.sales.decideDoubt(pair, true)).toBe(false);
      }
      await twins();
      expect(await listed()).toEqual([['pi_3TestA', 'zap-1']]);
    });

    it('a dropped sale counts again when the kept one is gone', async () => {
      const test = { ...event('checkout.session.completed', session()), livemode: false };
      await receive(test);
      await stores.sales.report(sale('zap-1', { at: start + 40_000, email: 'Ada@Example.com' }));
      await stores.sales.decideDoubt(['zap-1', 'pi_3TestA'], true);
      await stores.payments.deleteTests(never);
      expect(await totals()).toMatchObject({ conversions: 1, revenue: 9700 });
      expect(await stores.payments.sale('zap-1')).toMatchObject({ origin: 'report' });
      await expectSound();
    });

    /** A report that the owner dropped for a test payment, and that one for a live payment before it. */
    const chain = async () => {
      const paid = (after: number) => event('checkout.session.completed', session(), after);
      for (const one of ofPayment([paid(0)], 1)) await receive(one);
      for (const one of ofPayment([{ ...paid(9), livemode: false }], 2)) await receive(one);
      await stores.sales.report(sale('zap', { email: 'ada@example.com' }));
      expect(await stores.sales.decideDoubt(['zap', 'pi_3TestAx2'], true)).toBe(true);
      expect(await stores.sales.decideDoubt(['pi_3TestAx1', 'pi_3TestAx2'], true)).toBe(true);
    };
    const counted = async () => {
      const ids = ['pi_3TestAx1', 'pi_3TestAx2', 'zap'];
      const sales = await Promise.all(ids.map((id) => stores.payments.sale(id)));
      return ids.filter((_, i) => sales[i] && sales[i].origin !== 'other');
    };

    it('a sale dropped for a dropped one stays dropped when that one is deleted', async () => {
      await chain();
      expect(await counted()).toEqual(['pi_3TestAx1']);
      await stores.payments.deleteTests(never);
      expect(await counted()).toEqual(['pi_3TestAx1']);
      await expectSound();
    });

    it('a sale dropped for a dropped one counts when both others are of another product', async () => {
      await chain();
      await stores.sales.setPaymentLinks(['plink_1Other']);
      await stores.sales.rebuild(never);
      expect(await counted()).toEqual(['zap']);
      await expectSound();
      await stores.sales.setPaymentLinks([]);
      await stores.sales.rebuild(never);
      expect(await counted()).toEqual(['pi_3TestAx1']);
      await expectSound();
    });

    it('a pair ends when the time of a sale moves more than a minute away', async () => {
      const { customer_details } = session();
      const paid = (after: number) =>
        event('checkout.session.async_payment_succeeded', session({ customer_details }), after);
      await stores.sales.report(sale('zap-1', { at: start + 300_000, email: 'ada@example.com' }));
      await receive(paid(300));
      expect(await listed()).toHaveLength(1);
      await receive(paid(0));
      expect(await listed()).toEqual([]);
      expect(await stores.sales.decideDoubt(['pi_3TestA', 'zap-1'], true)).toBe(false);
    });

    it('pairs are listed by their newer sale', async () => {
      const pair = async (email: string, ids: [string, number][]) => {
        for (const [id, at] of ids) await stores.sales.report(sale(id, { email, at: start + at }));
      };
      await pair('ada@example.com', [
        ['b', 1000],
        ['c', 2000],
      ]);
      await pair('bob@example.com', [
        ['a', 0],
        ['d', 3000],
      ]);
      expect(await listed()).toEqual([
        ['a', 'd'],
        ['b', 'c'],
      ]);
    });

    it('a pair is in doubt in whichever order the events of its payment arrive', async () => {
      const { customer_details: _, ...anonymous } = session();
      await stores.sales.report(sale('zap-1', { at: start, email: 'ada@example.com' }));
      await receive(event('checkout.session.async_payment_succeeded', anonymous, 300));
      expect(await listed()).toEqual([]);
      await receive(event('checkout.session.completed', session()));
      expect(await listed()).toEqual([['pi_3TestA', 'zap-1']]);
    });

    it('a decision stays when the buyer is erased, and an open doubt ends', async () => {
      const ids = await twins();
      await stores.sales.report(sale('zap-2', { email: 'ada@example.com' }));
      await stores.sales.decideDoubt(ids, true);
      await stores.payments.erase('ada@example.com');
      await stores.sales.eraseBuyer('ada@example.com');
      expect(await listed()).toEqual([]);
      expect(await totals()).toMatchObject({ conversions: 2 });
      await expectSound();
    });
  });
});
