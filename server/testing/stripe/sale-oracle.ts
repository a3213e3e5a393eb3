/**
 * For tests: computes the sale of one payment from the bodies of its Stripe events, to compare it with that of
 * `saleOf`. It shares no code with it and takes another way: the newest state of each object, then its balance.
 */
import { z } from 'zod';

export interface ExpectedSale {
  /** When it was paid, milliseconds since 1970, UTC. */
  at: number;
  /** Amounts are in the currency's smallest unit, as in Stripe's API. */
  amount: number;
  refunded: number;
  disputed: number;
  /** ISO 4217, upper case. */
  currency: string;
}

/** A state of a sale that was reported over the API. */
export interface ReportedState extends ExpectedSale {
  /** When it was reported, milliseconds since 1970, UTC. */
  reportedAt: number;
}

const id = z.string();
const amount = z.number();
const currency = z.string().toUpperCase();
const seconds = z.number();

const session = z.object({
  object: z.literal('checkout.session'),
  id,
  payment_status: z.string(),
  mode: z.string().nullish(),
  amount_total: amount.nullish(),
  currency: currency.nullish(),
  currency_conversion: z.object({ amount_total: amount, source_currency: currency }).nullish(),
});
const refund = z.object({
  object: z.literal('refund'),
  id,
  amount,
  currency,
  status: z.string().nullish(),
  created: seconds.nullish(),
});
const charge = z.object({
  object: z.literal('charge'),
  id,
  amount,
  currency,
  amount_captured: amount,
  amount_refunded: amount,
  refunds: z.object({ data: z.array(refund) }).nullish(),
});
const dispute = z.object({
  object: z.literal('dispute'),
  id,
  amount,
  currency,
  status: z.string(),
});

const eventWith = <T>(object: z.ZodType<T>) =>
  z.object({
    type: z.string(),
    created: seconds,
    // Only events of connected accounts, which are no sales of this one, name theirs.
    account: z.null().optional(),
    api_version: z.string().nullish(),
    data: z.object({ object }),
  });
type EventSchema<T> = ReturnType<typeof eventWith<T>>;

const eventSchemas = {
  session: eventWith(session),
  charge: eventWith(charge),
  refund: eventWith(refund),
  dispute: eventWith(dispute),
};

type Session = z.output<typeof session>;
type Refund = z.output<typeof refund> & { created: number };
type Charge = z.output<typeof charge>;
type Dispute = z.output<typeof dispute>;

/** An object as of `at`, in seconds since 1970. */
interface Snapshot<T> {
  at: number;
  type: string;
  /** Whether the API reports each refund by itself, since its version 2024-10-28. */
  hasRefundEvents: boolean;
  object: T;
}

/** The newest snapshot of an object, and the time of the first one with the same progress. */
interface Newest<T> extends Snapshot<T> {
  since: number;
}

/** Everything that Stripe sent about a payment. */
interface Books {
  sessions: Snapshot<Session>[];
  /** Of a payment that was only authorized. */
  captures: Snapshot<Charge>[];
  /** With the sum of the refunds that may have no event. */
  charges: Newest<Charge>[];
  refunds: Newest<Refund>[];
  disputes: Newest<Dispute>[];
}

function booksOf(events: readonly unknown[]): Books {
  const charges = snapshotsOf(events, eventSchemas.charge);
  // Versions of the API before 2022-11-15 list the refunds in their charge.
  const listed = charges.flatMap(({ object, ...rest }) =>
    (object.refunds?.data ?? []).map((one) => ({ ...rest, object: one })),
  );
  // Whether the sum falls when a refund fails is unknown, so it counts only without events about refunds.
  // At a capture it is at least what was not captured, which may have no event.
  const sums = charges.flatMap(({ object, ...rest }) => {
    if (!rest.hasRefundEvents) return { ...rest, object };
    if (rest.type !== 'charge.captured') return [];
    const amount_refunded = Math.min(uncapturedOf(object), object.amount_refunded);
    return { ...rest, object: { ...object, amount_refunded } };
  });
  return {
    sessions: snapshotsOf(events, eventSchemas.session),
    captures: charges.filter(({ type }) => type === 'charge.captured'),
    charges: newestOf(sums, ({ amount_refunded }) => amount_refunded),
    refunds: newestOf(
      [...snapshotsOf(events, eventSchemas.refund), ...listed].map(withCreated),
      (one) => (isFailed(one) ? 2 : Number(one.status === 'succeeded')),
      { isFinal: true },
    ),
    disputes: newestOf(snapshotsOf(events, eventSchemas.dispute), (one) =>
      outcomes.indexOf(outcomeOf(one)),
    ),
  };
}

/** The snapshots of one kind, oldest first. An event that cannot be read shows as a difference. */
function snapshotsOf<T>(events: readonly unknown[], event: EventSchema<T>): Snapshot<T>[] {
  return events
    .flatMap((body) => event.safeParse(body).data ?? [])
    .map(({ type, created, api_version, data }) => ({
      type,
      at: created,
      hasRefundEvents: (api_version ?? '') > '2024-10-27',
      object: data.object,
    }))
    .sort((a, b) => a.at - b.at);
}

/** Old versions of the API may omit when a refund was created. */
const withCreated = ({ object, ...rest }: Snapshot<z.output<typeof refund>>): Snapshot<Refund> => ({
  ...rest,
  object: { ...object, created: object.created ?? rest.at },
});

/**
 * Of two snapshots of one second, the one with more progress is the newer; where progress is final, it is the
 * newer one at any time.
 */
function newestOf<T extends { id: string }>(
  snapshots: readonly Snapshot<T>[],
  progressOf: (object: T) => number,
  { isFinal = false } = {},
): Newest<T>[] {
  const newest = new Map<string, Newest<T>>();
  const inOrder = snapshots.toSorted((a, b) => {
    const progress = progressOf(a.object) - progressOf(b.object);
    return isFinal ? progress || a.at - b.at : a.at - b.at || progress;
  });
  for (const one of inOrder) {
    const known = newest.get(one.object.id);
    const isSame = known && progressOf(known.object) === progressOf(one.object);
    newest.set(one.object.id, { ...one, since: isSame ? known.since : one.at });
  }
  return [...newest.values()];
}

const uncapturedOf = ({ amount, amount_captured }: Charge) => Math.max(0, amount - amount_captured);

/** A free checkout is a sale, but to save a card or to start a free trial is not. */
const isPaid = ({ payment_status, mode }: Session) =>
  payment_status === 'paid' ||
  (payment_status === 'no_payment_required' && mode !== 'setup' && mode !== 'subscription');

const isFailed = ({ status }: Pick<Refund, 'status'>) =>
  status === 'failed' || status === 'canceled';

/** In the order in which a dispute reaches them. */
const outcomes = ['inquiry', 'open', 'lost', 'ended'] as const;

/** An inquiry withdraws no money. Where a refund ended or prevented a dispute, only the refund counts. */
function outcomeOf({ status }: Dispute): (typeof outcomes)[number] {
  if (status.startsWith('warning_')) return 'inquiry';
  if (status === 'lost') return 'lost';
  return ['won', 'prevented', 'charge_refunded'].includes(status) ? 'ended' : 'open';
}

interface Money {
  amount: number;
  currency: string;
}

/** What the buyer paid: in the currency of the charge, and as the price. */
interface Payment {
  at: number;
  charged: Money;
  price: Money;
}

/** Returns the payment; undefined while no checkout is paid and no authorized payment is captured. */
function paymentOf({ sessions, captures }: Books): Payment | undefined {
  const paid = sessions.find(({ object }) => isPaid(object));
  const checkout = (paid ?? sessions[0])?.object;
  const first = paid ?? captures[0];
  if (!checkout || !first) return undefined;
  const total = checkout.amount_total ?? 0;
  const charged = { amount: total, currency: checkout.currency ?? 'USD' };
  const conversion = checkout.currency_conversion;
  const price = conversion
    ? { amount: conversion.amount_total, currency: conversion.source_currency }
    : charged;
  const captured = captures.at(-1)?.object.amount_captured ?? total;
  const share = total > 0 ? captured / total : 1;
  return {
    at: first.at * 1000,
    charged: { ...charged, amount: captured },
    price: { ...price, amount: Math.round(price.amount * share) },
  };
}

const sum = (list: readonly { object: { amount: number } }[]) =>
  list.reduce((total, { object }) => total + object.amount, 0);

/**
 * The balance of the refunds in one currency: the sum of the newest charge, plus refunds made since, minus
 * refunds failed since. It is at least the sum of the refunds that are known one by one.
 */
function refundedIn(currency: string, { charges, captures, ...books }: Books): number {
  const refunds = books.refunds.filter(({ object }) => object.currency === currency);
  const inForce = refunds.filter(({ object }) => !isFailed(object));
  // Only one charge of a payment succeeds, so all refunds are of that one.
  const charge = charges.findLast(({ object }) => object.currency === currency);
  if (!charge) return sum(inForce);
  const made = inForce.filter(({ object }) => object.created > charge.at);
  const failed = refunds.filter(
    ({ object, since }) => isFailed(object) && object.created <= charge.at && since >= charge.at,
  );
  const balance = charge.object.amount_refunded + sum(made) - sum(failed);
  // Versions of the API before 2025-03-31 report what was not captured as a refund.
  const capture = captures.at(-1)?.object;
  const uncaptured = capture ? Math.min(uncapturedOf(capture), capture.amount_refunded) : 0;
  return Math.max(sum(inForce), balance) - uncaptured;
}

/** What of the price was returned to the buyer, and what is in open disputes. */
function balanceOf(books: Books, { charged, price }: Pick<Payment, 'charged' | 'price'>) {
  // Money in the charged currency counts as its share of the price; in a third currency it has none.
  const inPrice = (sumIn: (currency: string) => number) => {
    if (charged.currency === price.currency) return sumIn(price.currency);
    const share = charged.amount > 0 ? sumIn(charged.currency) / charged.amount : 0;
    return Math.round(share * price.amount) + sumIn(price.currency);
  };
  const disputedIn = (currency: string, outcome: 'lost' | 'open') =>
    sum(
      books.disputes.filter(
        ({ object }) => object.currency === currency && outcomeOf(object) === outcome,
      ),
    );
  const returned = inPrice((one) => refundedIn(one, books) + disputedIn(one, 'lost'));
  const refunded = Math.min(price.amount, Math.max(0, returned));
  const open = inPrice((one) => disputedIn(one, 'open'));
  return { refunded, disputed: Math.min(price.amount - refunded, open) };
}

/**
 * Computes the sale of one payment from its events as parsed JSON, also redacted, in any order
 * (https://docs.stripe.com/api/events/object); undefined while it is unpaid. Until the events contain a paid
 * checkout, it is the sale of `reports`, in any order, with the refunds and disputes that Stripe sent. No
 * payment is later than `receivedAt`, when its newest event arrived (milliseconds since 1970, UTC).
 */
export function expectedSale(
  events: readonly unknown[],
  reports: readonly ReportedState[] = [],
  receivedAt = Number.MAX_SAFE_INTEGER,
): ExpectedSale | undefined {
  const books = booksOf(events);
  const payment = paymentOf(books);
  if (payment) {
    const at = Math.min(payment.at, receivedAt);
    return { ...payment.price, at, ...balanceOf(books, payment) };
  }

  const inOrder = reports.toSorted((a, b) => a.reportedAt - b.reportedAt);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (!first || !last) return undefined;
  const { at, amount, currency } = first;
  const stripe = balanceOf(books, { charged: first, price: first });
  const refunded = Math.min(amount, Math.max(last.refunded, stripe.refunded));
  const disputed = books.disputes.length > 0 ? stripe.disputed : last.disputed;
  return { at, amount, currency, refunded, disputed: Math.min(amount - refunded, disputed) };
}
