/**
 * What an event of Stripe says about a sale. Of everything an event carries only these facts count;
 * field names are Stripe's (https://docs.stripe.com/api/events/types).
 */
import { z } from 'zod';
import { sourceText } from '../attribution/source-name.ts';
import { storableText, toStorable } from '../text/storable.ts';

/** Money as Stripe tells it. */
export interface Money {
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
}

export interface CheckoutFact {
  kind: 'checkout';
  /** When Stripe says it happened, milliseconds since 1970, UTC. */
  at: number;
  isPaid: boolean;
  /** What was taken from the buyer. Refunds and disputes are told in this currency. */
  charged: Money;
  /** The same in the currency the price was set in, when the buyer paid in their own. */
  priced: Money;
  email: string | null;
  source: string | null;
  /** What went along to the checkout and came back: ours is a token that says where the buyer came from. */
  reference: string | null;
}

export interface RefundFact extends Money {
  kind: 'refund';
  id: string;
  state: 'pending' | 'succeeded' | 'failed';
}

export interface DisputeFact extends Money {
  kind: 'dispute';
  id: string;
  state: 'inquiry' | 'open' | 'lost' | 'won';
}

export type Fact = CheckoutFact | RefundFact | DisputeFact;

/** An event reduced to what it is about. */
export interface StripeEvent {
  id: string;
  type: string;
  /** Milliseconds since 1970, UTC. */
  createdAt: number;
  /** Real money, or a trial. */
  isLive: boolean;
  /** The payment it tells of, by Stripe's id; null when it tells of none. */
  payment: string | null;
  facts: Fact[];
}

const envelope = z.object({
  id: storableText.min(1),
  type: storableText,
  /** In seconds; not beyond what a date can hold. */
  created: z.int().nonnegative().max(8.64e12),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
});

/** An id, or the object it stands for when Stripe was asked to expand it. */
const reference = z
  .union([storableText, z.object({ id: storableText }).transform(({ id }) => id)])
  .nullish();
const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .toUpperCase();
/** Sums of what is beyond this would not be exact. */
const cents = z.int().nonnegative().max(1e12);

/** Text of others that is stored. A strange character in it is no reason to lose a sale. */
const cleanedText = z.string().transform(toStorable);

const session = z.object({
  id: storableText,
  mode: z.string().nullish(),
  payment_status: z.string(),
  payment_intent: reference,
  amount_total: cents.nullish(),
  currency: currency.nullish(),
  /** Present when the price was converted into the buyer's currency. */
  currency_conversion: z.object({ amount_total: cents, source_currency: currency }).nullish(),
  customer_details: z.object({ email: cleanedText.nullish() }).nullish(),
  customer_email: cleanedText.nullish(),
  metadata: z.object({ utm_source: cleanedText.nullish() }).nullish(),
  client_reference_id: z.string().nullish(),
});

const refund = z.object({
  id: z.string(),
  amount: cents,
  currency,
  status: z.string().nullish(),
  payment_intent: reference,
});

const dispute = z.object({
  id: z.string(),
  amount: cents,
  currency,
  status: z.string(),
  payment_intent: reference,
});

const charge = z.object({
  payment_intent: reference,
  /** Listed by older versions of the API only. */
  refunds: z.object({ data: z.array(refund) }).nullish(),
});

/** What each type of event is about, and how it is read. Others are kept and mean nothing here. */
const readers: Record<
  string,
  (object: unknown, at: number) => Pick<StripeEvent, 'payment' | 'facts'>
> = {
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'checkout.session.async_payment_failed': readSession,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.refund.updated': readRefund,
  'charge.refunded': readCharge,
  'charge.dispute.created': readDispute,
  'charge.dispute.updated': readDispute,
  'charge.dispute.closed': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.funds_reinstated': readDispute,
};

/** The types of events that mean something here. */
export const eventTypes = Object.keys(readers);

/** Reads an event's parsed body. Throws a ZodError when it is no event of Stripe. */
export function eventOf(body: unknown): StripeEvent {
  const { id, type, created, livemode, data } = envelope.parse(body);
  const createdAt = created * 1000;
  const { payment, facts } = readers[type]?.(data.object, createdAt) ?? {
    payment: null,
    facts: [],
  };
  return { id, type, createdAt, isLive: livemode, payment, facts };
}

/** What a checkout session says of its payment, at `at` (milliseconds since 1970, UTC). */
export function readSession(
  object: unknown,
  at: number,
): { payment: string; facts: [CheckoutFact] } {
  const read = session.parse(object);
  const charged = { amount: read.amount_total ?? 0, currency: read.currency ?? 'USD' };
  const conversion = read.currency_conversion;
  const fact: CheckoutFact = {
    kind: 'checkout',
    at,
    // A card that is put on file for later requires no payment, and is no sale.
    isPaid:
      read.payment_status === 'paid' ||
      (read.payment_status === 'no_payment_required' && read.mode !== 'setup'),
    charged,
    priced: conversion
      ? { amount: conversion.amount_total, currency: conversion.source_currency }
      : charged,
    email: read.customer_details?.email || read.customer_email || null,
    source:
      sourceText((read.metadata?.utm_source ?? '').trim())
        .slice(0, 100)
        .toWellFormed() || null,
    reference: read.client_reference_id ?? null,
  };
  // A session without a payment intent took no money, or is a subscription's first invoice.
  return { payment: read.payment_intent ?? read.id, facts: [fact] };
}

const refundStates: Record<string, RefundFact['state']> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

function refundFact({ id, amount, currency, status }: z.output<typeof refund>): RefundFact {
  return { kind: 'refund', id, amount, currency, state: refundStates[status ?? ''] ?? 'pending' };
}

/** What a refund says of its payment. */
export function readRefund(object: unknown) {
  const read = refund.parse(object);
  return { payment: read.payment_intent ?? null, facts: [refundFact(read)] };
}

function readCharge(object: unknown) {
  const { payment_intent: payment, refunds } = charge.parse(object);
  return { payment: payment ?? null, facts: refunds?.data.map(refundFact) ?? [] };
}

/** One that was prevented took nothing; what the buyer got back is told of as a refund. */
const disputeStates: Record<string, DisputeFact['state']> = {
  won: 'won',
  prevented: 'won',
  lost: 'lost',
};

/** What a dispute says of its payment. */
export function readDispute(object: unknown) {
  const { id, amount, currency, status, payment_intent: payment } = dispute.parse(object);
  // An inquiry has taken nothing yet, and may end without a dispute.
  const state = disputeStates[status] ?? (status.startsWith('warning_') ? 'inquiry' : 'open');
  const fact: DisputeFact = { kind: 'dispute', id, amount, currency, state };
  return { payment: payment ?? null, facts: [fact] };
}
