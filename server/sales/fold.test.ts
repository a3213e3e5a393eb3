import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleSale } from '../testing/sale.ts';
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
import { type ExpectedSale, expectedSale } from '../testing/stripe/sale-oracle.ts';
import { paymentScenarios } from '../testing/stripe/scenarios.ts';
import { type ReportedSale, type SaleContext, saleOf } from './fold.ts';
import { eventOf, type Fact } from './stripe/facts.ts';
import { redacted } from './stripe/redact.ts';

const isLong = process.env.TEST_LONG !== undefined;

const factsOf = (events: readonly TestEvent[]) => events.flatMap((one) => eventOf(one).facts);
const settled = (events: readonly TestEvent[]) => saleOf(factsOf(events));

/** The fields of the sale that the oracle computes, too. */
function folded(facts: readonly Fact[], context?: SaleContext): ExpectedSale | undefined {
  const sale = saleOf(facts, context);
  if (!sale) return undefined;
  const { at, amount, refunded, disputed, currency } = sale;
  return { at, amount, refunded, disputed, currency };
}

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
  'saleOf returns the same sale for any order of events when %s',
  (_name, { events, sale }) => {
    const expected = settled(events);
    if (sale) expect(expected).toMatchObject(sale);
    else expect(expected).toBeUndefined();
    expect(folded(factsOf(events))).toEqual(expectedSale(events));
    fc.assert(
      fc.property(deliveries(events), (sent) => {
        expect(settled(sent)).toEqual(expected);
        expect(settled(withoutBuyer(sent))).toEqual(expected && { ...expected, email: null });
      }),
      { numRuns: isLong ? 1000 : 100 },
    );
  },
);

it.each(apiVersions)(
  'sale of a random payment is that of the account when API version %s reports it',
  (version) => {
    const lives = paymentLives(version).chain((life) =>
      fc.tuple(
        fc.constant(life),
        fc.array(deliveries(life.events), { minLength: 4, maxLength: 4 }),
      ),
    );
    fc.assert(
      fc.property(lives, ([{ events, sale }, orders]) => {
        expect(expectedSale(events)).toEqual(sale);
        for (const order of [events, ...orders]) {
          expect(folded(factsOf(order))).toEqual(sale);
          expect(folded(factsOf(withoutBuyer(order)))).toEqual(sale);
        }
      }),
      { numRuns: isLong ? 20_000 : 300 },
    );
  },
  isLong ? 600_000 : 30_000,
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
      { numRuns: isLong ? 5000 : 300 },
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
    { numRuns: isLong ? 2000 : 500 },
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
])('the oracle differs from a fold that %s', (_fault, name, change) => {
  const facts = scenario(name).flatMap((one) => eventOf(one).facts);
  expect(expectedSale(scenario(name))).toEqual(folded(facts));
  expect(expectedSale(scenario(name))).not.toEqual(folded(facts.map(change)));
});

it.each<[string, Partial<ExpectedSale>, TestEvent[]]>([
  [
    'a dispute exceeds what was not refunded',
    { refunded: 2000, disputed: 7700 },
    [event('refund.created', refund(), 100), event('charge.dispute.created', dispute(), 200)],
  ],
  [
    'a refund that failed is reported as succeeded later',
    { refunded: 0 },
    [
      event('refund.failed', refund({ status: 'failed' }), 300),
      event('refund.updated', refund({ status: 'succeeded' }), 400),
    ],
  ],
  [
    'another session of the payment has another amount',
    { amount: 9700 },
    [event('checkout.session.completed', session({ id: 'cs_live_2', amount_total: 8000 }), 300)],
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
])('saleOf returns the sale of the oracle when %s', (_name, expected, events) => {
  const checkout = event('checkout.session.completed', session());
  for (const sent of [events, events.toReversed()]) {
    const found = folded(factsOf([checkout, ...sent]));
    expect(found).toMatchObject(expected);
    expect(found).toEqual(expectedSale([checkout, ...sent]));
  }
});

const reported = (change: Partial<ReportedSale> = {}): ReportedSale => ({
  ...sampleSale({ id: 'pi_3TestA', at: timeOf(40) }),
  reportedAt: timeOf(50),
  ...change,
});

describe('a sale reported over the API', () => {
  const base = { at: timeOf(40), amount: 9700, refunded: 0, disputed: 0, currency: 'USD' };
  const refunded = event('refund.created', refund(), 100);
  const disputed = event('charge.dispute.created', dispute({ amount: 4000 }), 200);
  const closed = (status: string) =>
    event('charge.dispute.closed', dispute({ amount: 4000, status }), 900);
  const unpaid = event('checkout.session.completed', session({ payment_status: 'unpaid' }));

  it.each<[string, TestEvent[], ReportedSale[], Partial<ExpectedSale>]>([
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
    expect(expectedSale(events, reports)).toEqual(expected);
    expect(folded(factsOf(events), { reports })).toEqual(expected);
    const reversed = factsOf(events.toReversed());
    expect(folded(reversed, { reports: reports.toReversed() })).toEqual(expected);
  });

  it('a sale reported over the API gives way to a paid checkout', () => {
    const paid = event('checkout.session.completed', session({ amount_total: 8000 }), 10);
    const captured = event('charge.captured', charge({ amount_captured: 5000 }), 400);
    const reports = [reported({ refunded: 100, disputed: 100 })];
    for (const [events, expected] of [
      [[paid], { ...base, at: timeOf(10), amount: 8000 }],
      [[unpaid, captured], { ...base, at: timeOf(400), amount: 5000 }],
    ] as const) {
      expect(folded(factsOf(events), { reports })).toEqual(expected);
      expect(expectedSale(events, reports)).toEqual(expected);
    }
  });
});

/** Facts that no account sends: states in any order, several sessions of a payment, money in three currencies. */
const strangeEvents = fc
  .record({
    isConverted: fc.boolean(),
    sessions: fc.array(
      fc.record({
        amount_total: fc.constantFrom(0, 9700, 8000),
        payment_status: fc.constantFrom('paid', 'unpaid', 'no_payment_required'),
        mode: fc.constantFrom('payment', 'setup'),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    captures: fc.array(fc.integer({ min: 1, max: 9700 }), { maxLength: 2 }),
    changes: fc.array(
      fc.record({
        kind: fc.constantFrom('refund', 'dispute'),
        n: fc.integer({ min: 0, max: 2 }),
        currency: fc.constantFrom('usd', 'eur', 'gbp'),
        status: fc.nat(5),
      }),
      { maxLength: 10 },
    ),
  })
  .chain(({ isConverted, sessions, captures, changes }) => {
    const own = isConverted ? 'eur' : 'usd';
    const amounts = [2000, 700, 9700];
    const statuses = {
      refund: ['pending', 'succeeded', 'failed', 'canceled', 'succeeded', 'requires_action'],
      dispute: ['needs_response', 'lost', 'won', 'warning_closed', 'prevented', 'under_review'],
    };
    // An object never changes its amount and its currency.
    const currencies = new Map<string, string>();
    const makers = [
      ...sessions.map(
        (change) => (at: number) =>
          event(
            'checkout.session.completed',
            session({
              ...change,
              currency: own,
              currency_conversion: isConverted
                ? { amount_total: change.amount_total * 2, source_currency: 'usd' }
                : null,
            }),
            at,
          ),
      ),
      ...captures.map(
        (amount_captured) => (at: number) =>
          event('charge.captured', charge({ currency: own, amount_captured }), at),
      ),
      ...changes.map(({ kind, n, currency, status }) => {
        const id = `${kind}_${n}`;
        if (!currencies.has(id)) currencies.set(id, currency);
        const object = {
          id,
          amount: amounts[n],
          currency: currencies.get(id),
          status: statuses[kind][status],
        };
        return (at: number) =>
          kind === 'refund'
            ? event('refund.updated', refund({ ...object, created: timeOf(n) / 1000 }), at)
            : event('charge.dispute.updated', dispute(object), at);
      }),
    ];
    // Each event has a second of its own.
    return fc
      .shuffledSubarray(makers, { minLength: makers.length })
      .map((inOrder) => inOrder.map((make, i) => make(i + 10)));
  });

const states = fc.array(
  fc.record({
    reportedAt: fc.nat(3).map((n) => timeOf(n)),
    refunded: fc.constantFrom(0, 700, 9700),
    disputed: fc.constantFrom(0, 2000),
  }),
  { maxLength: 3 },
);

it('saleOf returns the sale of the oracle for random facts and reports in any order', () => {
  const orders = strangeEvents.chain((events) => fc.tuple(fc.constant(events), deliveries(events)));
  const uniqueStates = fc
    .tuple(states)
    .map(([list]) => [...new Map(list.map((one) => [one.reportedAt, reported(one)])).values()]);
  fc.assert(
    fc.property(orders, uniqueStates, ([events, sent], reports) => {
      const expected = expectedSale(events, reports);
      expect(folded(factsOf(sent), { reports: reports.toReversed() })).toEqual(expected);
    }),
    { numRuns: isLong ? 100_000 : 2000 },
  );
});

it('a refund without the time of its creation is deducted', () => {
  const events = [
    event('checkout.session.completed', session()),
    event('refund.created', refund({ created: null }), 60),
  ];
  expect(folded(factsOf(events))).toMatchObject({ refunded: 2000 });
  expect(folded(factsOf(events))).toEqual(expectedSale(events));
});
