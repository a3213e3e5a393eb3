import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  charge,
  dispute,
  event,
  refund,
  session,
  type TestEvent,
  timeOf,
} from '../testing/stripe/events.ts';
import { apiVersions, paymentLives } from '../testing/stripe/payment-lives.ts';
import { paymentScenarios } from '../testing/stripe/scenarios.ts';
import { auditedSale } from './audit.ts';
import { saleOf } from './fold.ts';
import { eventOf } from './stripe/facts.ts';

const settled = (events: TestEvent[]) => saleOf(events.flatMap((one) => eventOf(one).facts));

/** Deliveries of these events: each once to three times, in any order. */
const deliveries = (events: TestEvent[]) =>
  fc
    .array(fc.integer({ min: 1, max: 3 }), { minLength: events.length, maxLength: events.length })
    .chain((times) => {
      const sent = events.flatMap((one, i) => Array.from({ length: times[i] ?? 1 }, () => one));
      return fc.shuffledSubarray(sent, { minLength: sent.length });
    });

describe('saleOf', () => {
  it.each(Object.entries(paymentScenarios))(
    'saleOf returns the same sale for any order of events when %s',
    (_name, { events, sale }) => {
      if (sale) expect(settled(events)).toMatchObject(sale);
      else expect(settled(events)).toBeUndefined();
      const expected = settled(events);
      fc.assert(
        fc.property(deliveries(events), (sent) => {
          expect(settled(sent)).toEqual(expected);
        }),
        { numRuns: process.env.TEST_LONG ? 1000 : 100 },
      );
    },
  );
});

it.each(apiVersions)(
  'sale of a random payment is that of the account when API version %s reports it',
  (version) => {
    const life = paymentLives(version).chain((life) =>
      fc.tuple(
        fc.constant(life),
        fc.array(deliveries(life.events), { minLength: 4, maxLength: 4 }),
      ),
    );
    fc.assert(
      fc.property(life, ([{ events, sale }, orders]) => {
        for (const order of [events, ...orders]) {
          if (sale) expect(settled(order)).toMatchObject(sale);
          else expect(settled(order)).toBeUndefined();
        }
      }),
      { numRuns: process.env.TEST_LONG ? 20_000 : 300 },
    );
  },
  process.env.TEST_LONG ? 600_000 : 30_000,
);

it.each(apiVersions)(
  'entries of a random payment add up to what was returned when API version %s reports it',
  (version) => {
    fc.assert(
      fc.property(paymentLives(version), ({ events }) => {
        const sale = settled(events);
        if (!sale) return;
        const returned = sale.entries.filter(({ kind }) => kind !== 'tax');
        expect(returned.reduce((sum, { amount }) => sum + amount, 0)).toBe(sale.refunded);
        const last = Math.max(...events.map(({ created }) => created * 1000));
        for (const { at, amount } of sale.entries) {
          expect(amount).not.toBe(0);
          expect(at).toBeLessThanOrEqual(last);
        }
      }),
      { numRuns: process.env.TEST_LONG ? 5000 : 300 },
    );
  },
);

it('a refund in the second of the capture of the whole amount is deducted', () => {
  const authorized = session({ payment_status: 'unpaid' });
  const facts = [
    event('checkout.session.completed', authorized),
    event('charge.captured', charge({ amount_refunded: 2000 }), 400),
    event('refund.created', refund({ created: timeOf(400) / 1000 }), 400),
  ];
  expect(settled(facts)).toMatchObject({ amount: 9700, refunded: 2000 });
});

it.each([
  ['lost', 'won', 0],
  ['won', 'lost', 9700],
])('a dispute that was %s and then %s counts as it ended last', (before, after, refunded) => {
  const ended = (status: string, at: number) =>
    event('charge.dispute.closed', dispute({ status }), at);
  const sold = event('checkout.session.completed', session());
  const facts = [sold, ended(after, 900), ended(before, 600)];
  expect(settled(facts)).toMatchObject({ refunded, disputed: 0 });
});

it('a dispute that is lost again is dated by its last loss', () => {
  const ended = (status: string, at: number) =>
    event('charge.dispute.closed', dispute({ status }), at);
  const sold = event('checkout.session.completed', session());
  const facts = [
    sold,
    ended('lost', 100),
    ended('won', 400),
    ended('lost', 800),
    ended('lost', 900),
  ];
  expect(settled(facts)?.entries).toEqual([{ kind: 'dispute', at: timeOf(800), amount: 9700 }]);
});

it('a payment that is captured several times counts all of it from the first capture on', () => {
  const capture = (amount_captured: number, at: number) =>
    event('charge.captured', charge({ amount_captured }), at);
  const facts = [
    event('checkout.session.completed', session({ payment_status: 'unpaid' })),
    ...[capture(9700, 900), capture(4000, 400)],
  ];
  expect(settled(facts)).toMatchObject({ at: timeOf(400), amount: 9700, refunded: 0 });
  expect(auditedSale(facts)).toMatchObject({ at: timeOf(400), amount: 9700, refunded: 0 });
});

it('the tax of a converted and partly captured payment is its share of the price', () => {
  const authorized = session({
    currency: 'eur',
    amount_total: 12_000,
    payment_status: 'unpaid',
    currency_conversion: { amount_total: 10_000, source_currency: 'usd' },
    total_details: { amount_tax: 2000 },
  });
  const captured = charge({ currency: 'eur', amount: 12_000, amount_captured: 6000 });
  const sale = settled([
    event('checkout.session.completed', authorized),
    event('charge.captured', captured, 60),
  ]);
  expect(sale).toMatchObject({
    amount: 5000,
    currency: 'USD',
    entries: [{ kind: 'tax', amount: 833 }],
  });
});

it('saleOf never returns refunds and open disputes above the amount paid', () => {
  const events = Object.values(paymentScenarios).flatMap((scenario) => scenario.events);
  fc.assert(
    fc.property(fc.shuffledSubarray(events), (subset) => {
      const sale = settled(subset);
      if (!sale) return;
      expect(sale.refunded).toBeGreaterThanOrEqual(0);
      expect(sale.disputed).toBeGreaterThanOrEqual(0);
      expect(sale.refunded + sale.disputed).toBeLessThanOrEqual(sale.amount);
    }),
    { numRuns: process.env.TEST_LONG ? 2000 : 500 },
  );
});

it.each([
  'customer.created',
  'invoice.paid',
  'charge.succeeded',
  'payment_intent.succeeded',
  'checkout.session.expired',
])('%s has no facts, since other events already report the sale', (type) => {
  expect(eventOf(event(type, { ...session(), payment_intent: 'pi_3TestA' }))).toMatchObject({
    payment: null,
    facts: [],
  });
});
