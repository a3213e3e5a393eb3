/**
 * Reads the facts about a sale from Stripe's events and objects. Field names are Stripe's
 * (https://docs.stripe.com/api/events/types).
 */
import { z } from 'zod';
import { sourceText } from '../../attribution/source-name.ts';
import { maxAmount } from '../../contract/money.ts';
import { stripeEvents } from '../../contract/stripe.ts';
import { storedAddress } from '../../text/email-address.ts';
import { storableText, toStorable } from '../../text/storable.ts';

/** Money as in Stripe's API. */
export interface Money {
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
}

export interface CheckoutFact {
  kind: 'checkout';
  /** When Stripe created the event, milliseconds since 1970, UTC. */
  at: number;
  isPaid: boolean;
  /** The amount charged. Refunds and disputes use this currency. */
  charged: Money;
  /** The same amount in the currency of the price, which can differ from the buyer's. */
  priced: Money;
  /** The tax in `charged`, in its unit. */
  tax: number;
  email: string | null;
  source: string | null;
  /** Id of the Payment Link that led to the checkout. */
  paymentLink: string | null;
  /** The `client_reference_id`: an attribution token when this site linked to the checkout. */
  reference: string | null;
}

export interface RefundFact extends Money {
  kind: 'refund';
  id: string;
  state: 'pending' | 'succeeded' | 'failed';
  /** When the refund was created, and when Stripe reported this state; milliseconds since 1970, UTC. */
  createdAt: number;
  at: number;
}

/** A charge of the payment, as of an event about it. Its amount is what was captured. */
export interface ChargeFact extends Money {
  kind: 'charge';
  id: string;
  /** When Stripe created the event, milliseconds since 1970, UTC. */
  at: number;
  /** What was refunded of it without an event about each refund. */
  refunded: number;
  /** Whether a payment that was only authorized was captured. */
  isCapture: boolean;
  /** What was authorized, but not captured. */
  rest: number;
}

export interface DisputeFact extends Money {
  kind: 'dispute';
  id: string;
  state: 'inquiry' | 'open' | 'lost' | 'won';
  /** When Stripe reported this state, milliseconds since 1970, UTC. */
  at: number;
}

export type Fact = CheckoutFact | ChargeFact | RefundFact | DisputeFact;

/** A parsed event. */
export interface StripeEvent {
  id: string;
  type: string;
  /** Milliseconds since 1970, UTC. */
  createdAt: number;
  /** Whether it is about a live payment; false for a test payment. */
  isLive: boolean;
  /** Whether it happened at another account that is connected to this one; it is no sale of this site. */
  isForeign: boolean;
  /** Stripe's id of the payment; null when the event has none. */
  payment: string | null;
  facts: Fact[];
}

const envelope = z.object({
  id: storableText.min(1),
  type: storableText,
  /** In seconds; the maximum is the range of a Date. */
  created: z.int().nonnegative().max(8.64e12),
  livemode: z.boolean(),
  /** On Connect webhooks only: the connected account (https://docs.stripe.com/connect/webhooks). */
  account: storableText.nullish(),
  api_version: z.string().nullish(),
  data: z.object({ object: z.unknown() }),
});

/** An id, or the object with this id when the request expanded it. */
const reference = z
  .union([storableText, z.object({ id: storableText }).transform(({ id }) => id)])
  .nullish();
const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .toUpperCase();
const cents = z.int().nonnegative().max(maxAmount);

/** Third-party text, stripped of characters that cannot be stored instead of rejecting the event. */
const cleanedText = z.string().transform(toStorable);

const session = z.object({
  id: storableText,
  mode: z.string().nullish(),
  payment_status: z.string(),
  payment_intent: reference,
  payment_link: reference,
  amount_total: cents.nullish(),
  currency: currency.nullish(),
  /** Present when the price was converted into the buyer's currency. */
  currency_conversion: z.object({ amount_total: cents, source_currency: currency }).nullish(),
  total_details: z.object({ amount_tax: cents.nullish() }).nullish(),
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
  /** In seconds. */
  created: z.int().nonnegative().max(8.64e12).nullish(),
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
  id: z.string(),
  amount: cents,
  amount_captured: cents,
  amount_refunded: cents,
  currency,
  payment_intent: reference,
  /** Listed by versions of the API before 2022-11-15 only. */
  refunds: z.object({ data: z.array(refund) }).nullish(),
});

/** The first version of Stripe's API that reports every refund by itself. */
export const oldestVersion = '2024-10-28';

/** Whether each refund has events of its own. Stripe may name no version. */
export const listsRefunds = (apiVersion: string | null | undefined): boolean =>
  apiVersion != null && apiVersion >= oldestVersion;

/** What a reader knows of the event besides its object. */
interface Envelope {
  /** When Stripe created the event, milliseconds since 1970, UTC. */
  at: number;
  /** As `listsRefunds` returns. */
  listsRefunds: boolean;
}

/** Reader of each event type that affects a sale. Events of other types are stored without facts. */
const readers: Record<
  (typeof stripeEvents)[number],
  (object: unknown, envelope: Envelope) => Pick<StripeEvent, 'payment' | 'facts'>
> = {
  'checkout.session.completed': (object, { at }) => readSession(object, at),
  'checkout.session.async_payment_succeeded': (object, { at }) => readSession(object, at),
  'checkout.session.async_payment_failed': (object, { at }) => readSession(object, at),
  'refund.created': (object, { at }) => readRefund(object, at),
  'refund.updated': (object, { at }) => readRefund(object, at),
  'refund.failed': (object, { at }) => readRefund(object, at),
  'charge.refund.updated': (object, { at }) => readRefund(object, at),
  'charge.refunded': (object, envelope) => readCharge(object, envelope, false),
  'charge.captured': (object, envelope) => readCharge(object, envelope, true),
  'charge.dispute.created': (object, { at }) => readDispute(object, at),
  'charge.dispute.updated': (object, { at }) => readDispute(object, at),
  'charge.dispute.closed': (object, { at }) => readDispute(object, at),
  'charge.dispute.funds_withdrawn': (object, { at }) => readDispute(object, at),
  'charge.dispute.funds_reinstated': (object, { at }) => readDispute(object, at),
};

/** The event types that affect a sale. */
export const eventTypes: string[] = [...stripeEvents];

/** The event types about one refund. */
export const refundTypes = eventTypes.filter((type) => type.includes('refund.'));

/** Reads an event from its parsed body. Throws a ZodError when the body is not a valid event. */
export function eventOf(body: unknown): StripeEvent {
  const { id, type, created, livemode, account, api_version, data } = envelope.parse(body);
  const createdAt = created * 1000;
  const isForeign = account != null;
  const known = stripeEvents.find((one) => one === type);
  const read = isForeign || known === undefined ? undefined : readers[known];
  const { payment, facts } = read?.(data.object, {
    at: createdAt,
    listsRefunds: listsRefunds(api_version),
  }) ?? { payment: null, facts: [] };
  return { id, type, createdAt, isLive: livemode, isForeign, payment, facts };
}

/** Reads the payment and its facts from a checkout session as of `at` (milliseconds since 1970, UTC). */
export function readSession(
  object: unknown,
  at: number,
): { payment: string; facts: [CheckoutFact] } {
  const checkout = session.parse(object);
  const charged = { amount: checkout.amount_total ?? 0, currency: checkout.currency ?? 'USD' };
  const conversion = checkout.currency_conversion;
  const fact: CheckoutFact = {
    kind: 'checkout',
    at,
    // Saving a card for later and a free trial require no payment either, but are not sales.
    isPaid:
      checkout.payment_status === 'paid' ||
      (checkout.payment_status === 'no_payment_required' &&
        !['setup', 'subscription'].includes(checkout.mode ?? '')),
    charged,
    priced: conversion
      ? { amount: conversion.amount_total, currency: conversion.source_currency }
      : charged,
    tax: checkout.total_details?.amount_tax ?? 0,
    email: storedAddress(checkout.customer_details?.email || checkout.customer_email || '') || null,
    source:
      sourceText((checkout.metadata?.utm_source ?? '').trim())
        .slice(0, 100)
        .toWellFormed() || null,
    paymentLink: checkout.payment_link ?? null,
    reference: checkout.client_reference_id ?? null,
  };
  // A session without a payment intent is free, or a subscription: its own id identifies the payment.
  return { payment: checkout.payment_intent ?? checkout.id, facts: [fact] };
}

const refundStates: Record<string, RefundFact['state']> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

function refundFact(
  { id, amount, currency, status, created }: z.output<typeof refund>,
  at: number,
): RefundFact {
  const state = refundStates[status ?? ''] ?? 'pending';
  const createdAt = created == null ? at : created * 1000;
  return { kind: 'refund', id, amount, currency, state, createdAt, at };
}

/** Reads the payment and its facts from a refund as of `at` (milliseconds since 1970, UTC). */
export function readRefund(object: unknown, at: number) {
  const parsed = refund.parse(object);
  return { payment: parsed.payment_intent ?? null, facts: [refundFact(parsed, at)] };
}

function readCharge(object: unknown, { at, listsRefunds }: Envelope, isCapture: boolean) {
  const { id, amount, amount_captured, amount_refunded, currency, payment_intent, refunds } =
    charge.parse(object);
  const refundFacts = refunds?.data.map((one) => refundFact(one, at)) ?? [];
  const rest = Math.max(0, amount - amount_captured);
  const fact: ChargeFact = {
    kind: 'charge',
    id,
    at,
    isCapture,
    currency,
    amount: amount_captured,
    // At its capture, only what was not captured may lack an event.
    refunded: listsRefunds ? Math.min(rest, amount_refunded) : amount_refunded,
    rest,
  };
  // Stripe does not say whether the sum falls when a refund fails, so it counts only where refunds are not
  // reported by themselves.
  const facts = isCapture || !listsRefunds ? [fact, ...refundFacts] : refundFacts;
  return { payment: payment_intent ?? null, facts };
}

/** Other states are open. Where a dispute was prevented or ended by a refund, the refund is the buyer's money. */
const disputeStates: Record<string, DisputeFact['state']> = {
  won: 'won',
  prevented: 'won',
  charge_refunded: 'won',
  lost: 'lost',
};

/** Reads the payment and its facts from a dispute as of `at` (milliseconds since 1970, UTC). */
export function readDispute(object: unknown, at: number) {
  const { id, amount, currency, status, payment_intent: payment } = dispute.parse(object);
  // An inquiry withdraws no money, and can end without a dispute.
  const state = disputeStates[status] ?? (status.startsWith('warning_') ? 'inquiry' : 'open');
  const fact: DisputeFact = { kind: 'dispute', id, amount, currency, state, at };
  return { payment: payment ?? null, facts: [fact] };
}
