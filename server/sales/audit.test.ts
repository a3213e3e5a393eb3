import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  charge,
  dispute,
  event,
  olderEvent,
  refund,
  session,
  type TestEvent,
  timeOf,
} from '../testing/stripe/events.ts';
import { apiVersions, paymentLives } from '../testing/stripe/payment-lives.ts';
import { paymentScenarios } from '../testing/stripe/scenarios.ts';
import { type AuditedSale, auditedSale, type ReportedState } from './audit.ts';
import { saleOf } from './fold.ts';
import { eventOf, type Fact } from './stripe/facts.ts';
import { redacted } from './stripe/redact.ts';

/** The sale of the fold, without the fields that an audit does not recount. */
function fold(facts: readonly Fact[]): AuditedSale | undefined {
  const sale = saleOf(facts);
  if (!sale) return undefined;
  const { at, amount, refunded, disputed, currency } = sale;
  return { at, amount, refunded, disputed, currency };
}
const foldedSale = (events: readonly TestEvent[]) =>
  fold(events.flatMap((one) => eventOf(one).facts));

const withoutBuyer = (events: readonly TestEvent[]): TestEvent[] =>
  events.map((one) => JSON.parse(redacted(JSON.stringify(one), () => false)));

/** Deliveries of these events: each once to three times, in any order. */
const deliveries = (events: readonly TestEvent[]) =>
  fc
    .array(fc.integer({ min: 1, max: 3 }), { minLength: events.length, maxLength: events.length })
    .chain((times) => {
      const sent = events.flatMap((one, i) => Array.from({ length: times[i] ?? 1 }, () => one));
      return fc.shuffledSubarray(sent, { minLength: sent.length });
    });

it.each(Object.entries(paymentScenarios))(
  'auditedSale returns the sale of the account and of the fold when %s',
  (_name, { events, sale }) => {
    const { email: _, source: __, ...expected } = sale ?? {};
    const found = auditedSale(events);
    if (sale) expect(found).toMatchObject(expected);
    else expect(found).toBeUndefined();
    expect(found).toEqual(foldedSale(events));
    fc.assert(
      fc.property(deliveries(events), (sent) => {
        expect(auditedSale(sent)).toEqual(found);
        expect(auditedSale(withoutBuyer(sent))).toEqual(found);
      }),
      { numRuns: process.env.TEST_LONG ? 3000 : 30 },
    );
  },
);

it.each(apiVersions)(
  'auditedSale returns the sale of the account and of the fold when API version %s reports a random payment',
  (version) => {
    const lives = paymentLives(version).chain((life) =>
      fc.tuple(
        fc.constant(life.sale),
        fc.array(deliveries(life.events), { minLength: 3, maxLength: 3 }),
      ),
    );
    fc.assert(
      fc.property(lives, ([sale, orders]) => {
        for (const sent of orders) {
          expect(auditedSale(sent)).toEqual(sale);
          expect(auditedSale(withoutBuyer(sent))).toEqual(sale);
          expect(foldedSale(sent)).toEqual(sale);
        }
      }),
      { numRuns: process.env.TEST_LONG ? 20_000 : 100 },
    );
  },
  process.env.TEST_LONG ? 600_000 : 30_000,
);

const scenario = (name: string) => paymentScenarios[name]?.events ?? [];

/** Faults of a fold, as changes to the facts that it reads. */
it.each<[fault: string, name: string, change: (fact: Fact, i: number) => Fact]>([
  [
    'counts failed refunds',
    'a refund fails',
    (fact) => (fact.kind === 'refund' ? { ...fact, state: 'succeeded' } : fact),
  ],
  [
    'counts each report of a refund',
    'two partial refunds arrive in five events',
    (fact, i) => (fact.kind === 'refund' ? { ...fact, id: `re_${i}` } : fact),
  ],
  [
    'ignores the total of a charge',
    'the API version reports only the sum of the refunds',
    (fact) => (fact.kind === 'charge' ? { ...fact, refunded: 0 } : fact),
  ],
  [
    'counts what was not captured as refund',
    'an older API version refunds what was not captured',
    (fact) => (fact.kind === 'charge' ? { ...fact, refunded: 0 } : fact),
  ],
  [
    'ignores captures',
    'an authorized payment is captured in part',
    (fact) => (fact.kind === 'charge' ? { ...fact, isCapture: false } : fact),
  ],
  [
    'keeps a lost dispute open',
    'a dispute is lost',
    (fact) => (fact.kind === 'dispute' ? { ...fact, state: 'open' } : fact),
  ],
  [
    'counts an inquiry as a dispute',
    'a bank opens an inquiry',
    (fact) => (fact.kind === 'dispute' ? { ...fact, state: 'open' } : fact),
  ],
  [
    'ignores the price in the currency of the seller',
    'the buyer pays in their own currency and a third is refunded',
    (fact) => (fact.kind === 'checkout' ? { ...fact, priced: fact.charged } : fact),
  ],
  [
    'dates a payment by its newest event',
    'several events report one payment, dated by the first',
    (fact) => (fact.kind === 'checkout' ? { ...fact, at: timeOf(9) } : fact),
  ],
])('auditedSale differs from a fold that %s', (_fault, name, change) => {
  const facts = scenario(name).flatMap((one) => eventOf(one).facts);
  expect(auditedSale(scenario(name))).toEqual(fold(facts));
  expect(auditedSale(scenario(name))).not.toEqual(fold(facts.map(change)));
});

it('auditedSale counts a dispute by its newest state when a won one is lost later', () => {
  const closed = (status: string, after: number) =>
    event('charge.dispute.closed', dispute({ status }), after);
  const checkout = event('checkout.session.completed', session());
  expect(auditedSale([checkout, closed('lost', 500), closed('won', 900)])?.refunded).toBe(0);
  expect(auditedSale([checkout, closed('lost', 900), closed('won', 500)])?.refunded).toBe(9700);
});

it.each<[string, Partial<AuditedSale>, TestEvent[]]>([
  [
    'a dispute exceeds what was not refunded',
    { refunded: 2000, disputed: 7700 },
    [event('refund.created', refund(), 100), event('charge.dispute.created', dispute(), 200)],
  ],
  [
    'a dispute is prevented',
    { refunded: 0, disputed: 0 },
    [event('charge.dispute.created', dispute({ status: 'prevented' }), 200)],
  ],
  [
    'a payment is captured in two parts',
    { amount: 8000, refunded: 0 },
    [
      event('charge.captured', charge({ amount_captured: 3000 }), 100),
      event('charge.captured', charge({ amount_captured: 8000 }), 200),
    ],
  ],
  [
    'a refund fails within a second',
    { refunded: 0 },
    [
      event('refund.created', refund({ status: 'pending' }), 300),
      event('refund.updated', refund({ status: 'succeeded' }), 300),
      event('refund.failed', refund({ status: 'failed' }), 300),
    ],
  ],
  [
    'a charge is refunded twice within a second',
    { refunded: 5000 },
    [
      olderEvent('charge.refunded', charge({ amount_refunded: 2000 }), 300),
      olderEvent('charge.refunded', charge({ amount_refunded: 5000 }), 300),
    ],
  ],
  [
    'a dispute is opened and lost within a second',
    { refunded: 9700, disputed: 0 },
    [
      event('charge.dispute.created', dispute(), 300),
      event('charge.dispute.closed', dispute({ status: 'lost' }), 300),
    ],
  ],
])('auditedSale returns the sale of the fold when %s', (_name, expected, events) => {
  const checkout = event('checkout.session.completed', session());
  for (const sent of [events, events.toReversed()]) {
    const found = auditedSale([checkout, ...sent]);
    expect(found).toMatchObject(expected);
    expect(found).toEqual(foldedSale([checkout, ...sent]));
  }
});

describe('a sale reported over the API', () => {
  const reported = (change: Partial<ReportedState> = {}): ReportedState => ({
    reportedAt: timeOf(50),
    at: timeOf(40),
    amount: 9700,
    refunded: 0,
    disputed: 0,
    currency: 'USD',
    ...change,
  });
  const base = { at: timeOf(40), amount: 9700, refunded: 0, disputed: 0, currency: 'USD' };
  const refunded = event('refund.created', refund(), 100);
  const disputed = event('charge.dispute.created', dispute({ amount: 4000 }), 200);
  const closed = (status: string) =>
    event('charge.dispute.closed', dispute({ amount: 4000, status }), 900);
  const unpaid = event('checkout.session.completed', session({ payment_status: 'unpaid' }));

  it.each<[string, TestEvent[], ReportedState[], Partial<AuditedSale>]>([
    ['is counted without events', [], [reported()], {}],
    ['is counted beside an unpaid checkout', [unpaid], [reported()], {}],
    [
      'has its first amount and date and its newest refunds and disputes',
      [],
      [
        reported({ reportedAt: timeOf(300), refunded: 1000, disputed: 500 }),
        reported({ reportedAt: timeOf(400), refunded: 700, disputed: 200, amount: 1 }),
        reported(),
      ],
      { refunded: 700, disputed: 200 },
    ],
    [
      'has the newest refunds when its first state has others',
      [],
      [
        reported({ refunded: 3000 }),
        reported({ reportedAt: timeOf(60), at: timeOf(60), currency: 'EUR' }),
      ],
      {},
    ],
    ['has Stripe’s refunds', [refunded], [reported({ refunded: 500 })], { refunded: 2000 }],
    [
      'has its own refunds when Stripe sent less',
      [refunded],
      [reported({ refunded: 3000 })],
      { refunded: 3000 },
    ],
    [
      'has no refund in another currency',
      [olderEvent('charge.refunded', charge({ amount_refunded: 2000, currency: 'eur' }), 100)],
      [reported()],
      {},
    ],
    [
      'has its own disputes',
      [refunded],
      [reported({ disputed: 100 })],
      { refunded: 2000, disputed: 100 },
    ],
    ['has Stripe’s open dispute', [disputed], [reported({ disputed: 100 })], { disputed: 4000 }],
    [
      'has no dispute when Stripe’s is won',
      [disputed, closed('won')],
      [reported({ disputed: 4000 })],
      {},
    ],
    [
      'has a lost dispute as refund',
      [disputed, closed('lost')],
      [reported({ disputed: 4000 })],
      { refunded: 4000 },
    ],
    [
      'has no more refunds than its amount',
      [],
      [reported({ refunded: 10_000, disputed: 5 })],
      { refunded: 9700 },
    ],
    [
      'has no more disputes than the rest of its amount',
      [refunded],
      [reported({ disputed: 9000 })],
      { refunded: 2000, disputed: 7700 },
    ],
  ])('a sale reported over the API %s', (_name, events, reports, change) => {
    const expected = { ...base, ...change };
    expect(auditedSale(events, reports)).toEqual(expected);
    expect(auditedSale(events.toReversed(), reports.toReversed())).toEqual(expected);
  });

  it('a sale reported over the API gives way to a paid checkout', () => {
    const paid = event('checkout.session.completed', session({ amount_total: 8000 }), 10);
    const captured = event('charge.captured', charge({ amount_captured: 5000 }), 400);
    const report = reported({ refunded: 100, disputed: 100 });
    expect(auditedSale([paid], [report])).toEqual({ ...base, at: timeOf(10), amount: 8000 });
    expect(auditedSale([unpaid, captured], [report])).toEqual({
      ...base,
      at: timeOf(400),
      amount: 5000,
    });
  });
});

it('a refund without the time of its creation is deducted', () => {
  const events = [
    event('checkout.session.completed', session()),
    event('refund.created', refund({ created: null }), 60),
  ];
  expect(auditedSale(events)).toMatchObject({ refunded: 2000 });
  expect(auditedSale(events)).toEqual(foldedSale(events));
});

it('auditedSale returns undefined without readable events and reports', () => {
  expect(auditedSale([])).toBeUndefined();
  expect(auditedSale([null, 'text', {}, event('checkout.session.completed', {})])).toBeUndefined();
});
