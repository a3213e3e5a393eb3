import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventOf } from '../stripe/facts.ts';
import { event, session, type TestEvent } from '../testing/stripe/events.ts';
import { paymentScenarios } from '../testing/stripe/situations.ts';
import { saleOf } from './fold.ts';

const settled = (events: TestEvent[]) =>
  saleOf(
    events.flatMap((one) => eventOf(one).facts),
    () => undefined,
  );

/** Deliveries of these events: each once to three times, in any order. */
const deliveries = (events: TestEvent[]) =>
  fc
    .array(fc.integer({ min: 1, max: 3 }), { minLength: events.length, maxLength: events.length })
    .chain((times) => {
      const sent = events.flatMap((one, i) => Array.from({ length: times[i] ?? 1 }, () => one));
      return fc.shuffledSubarray(sent, { minLength: sent.length });
    });

describe('each situation ends as one sale, in whatever order it is told:', () => {
  it.each(Object.entries(paymentScenarios))('%s', (_name, { events, sale }) => {
    if (sale) expect(settled(events)).toMatchObject(sale);
    else expect(settled(events)).toBeUndefined();
    const end = settled(events);
    fc.assert(
      fc.property(deliveries(events), (sent) => {
        expect(settled(sent)).toEqual(end);
      }),
      { numRuns: 1000 },
    );
  });
});

it('never has more given back than was paid, nor anything at risk twice', () => {
  const events = Object.values(paymentScenarios).flatMap((situation) => situation.events);
  fc.assert(
    fc.property(fc.shuffledSubarray(events), (told) => {
      const sale = settled(told);
      if (!sale) return;
      expect(sale.refunded).toBeGreaterThanOrEqual(0);
      expect(sale.disputed).toBeGreaterThanOrEqual(0);
      expect(sale.refunded + sale.disputed).toBeLessThanOrEqual(sale.amount);
    }),
    { numRuns: 2000 },
  );
});

it.each([
  'customer.created',
  'invoice.paid',
  'charge.succeeded',
  'payment_intent.succeeded',
  'checkout.session.expired',
])('%s tells of no sale: that would be the second time', (type) => {
  expect(eventOf(event(type, { ...session(), payment_intent: 'pi_3TestA' }))).toMatchObject({
    payment: null,
    facts: [],
  });
});
