/**
 * Compares the payments of the last thirty days at Stripe with the counted sales, one by one. It reads
 * Stripe's current state instead of events, so it finds changes without an event.
 */
import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import { dayMs } from '../../time/units.ts';
import { saleOf, withCaptured } from '../fold.ts';
import type { SettledSale } from '../sale.ts';
import { isLiveKey, openStripe, type StripeAccess } from './api.ts';
import { type ChargeFact, type Fact, readDispute, readRefund, readSession } from './facts.ts';
import type { PaymentStore } from './store.ts';

const windowMs = 30 * dayMs;

/** Maximum differing payments listed. */
const maxListed = 20;

/** A payment at Stripe or here, in the currency's smallest unit. */
type Side = Pick<SettledSale, 'amount' | 'refunded' | 'disputed' | 'currency'>;

/** A payment that differs between Stripe and here; undefined where there is no sale. */
interface DifferingPayment {
  payment: string;
  stripe: Side | undefined;
  ours: Side | undefined;
  /** Whether it does not count, so that the sums leave it out. */
  isOther: boolean;
}

/** Sums in the smallest unit of the owner's currency; others are compared, not summed. */
interface Revenue {
  gross: number;
  refunded: number;
  net: number;
}

export interface Reconciliation {
  /** When the comparison started, milliseconds since 1970, UTC. */
  at: number;
  /** Number of sales compared. */
  payments: number;
  /** How many of them differ; `differing` lists the first twenty. */
  differ: number;
  differing: DifferingPayment[];
  /** Sums of the checkouts of the last thirty days that count. */
  stripe: Revenue;
  ours: Revenue;
}

export interface ReconcileOptions extends StripeAccess {
  store: Pick<PaymentStore, 'sale' | 'checkoutsSince' | 'paymentLinks'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** The owner's currency, ISO 4217 in upper case. */
  currency: string;
  /** Waits for pending deliveries and stores missed events. */
  settle: () => Promise<void>;
}

/**
 * Compares Stripe's payments with the counted sales. When payments differ, it compares again after `settle`
 * and reports those that differ both times; those that differ only then are excluded as pending. Throws
 * when a request to Stripe fails or `stopped` aborts.
 */
export async function reconcile(
  { store, now, currency, settle, ...access }: ReconcileOptions,
  stopped: AbortSignal,
): Promise<Reconciliation> {
  const stripe = await openStripe(access);
  const sides = { stripe, store, currency, isLive: isLiveKey(access.apiKey), stopped };
  const since = Math.floor((now() - windowMs) / 1000) * 1000;
  const start = now();
  const first = await compareAll({ ...sides, since });
  if (first.differing.length === 0) return { at: start, ...summaryOf(first, [], currency) };
  await settle();
  const at = now();
  const second = await compareAll({ ...sides, since });
  const differedBefore = new Set(first.differing.map(({ payment }) => payment));
  const differing = second.differing.filter(({ payment }) => differedBefore.has(payment));
  return { at, ...summaryOf(second, differing, currency) };
}

interface Comparison {
  /** Number of sales that are the same on both sides, and their sums. */
  agreed: number;
  revenue: Revenue;
  differing: DifferingPayment[];
}

/** Compares every checkout created at `since` (milliseconds since 1970, UTC) or later. */
async function compareAll({
  stripe,
  store,
  since,
  currency,
  isLive,
  stopped,
}: {
  stripe: Stripe;
  store: ReconcileOptions['store'];
  since: number;
  currency: string;
  isLive: boolean;
  stopped: AbortSignal;
}): Promise<Comparison> {
  const found: Comparison = { agreed: 0, revenue: noRevenue, differing: [] };
  const paymentLinks = await store.paymentLinks();
  const seen = new Set<string>();
  const sessions = stripe.checkout.sessions.list({
    created: { gte: since / 1000 },
    status: 'complete',
    expand: ['data.payment_intent.latest_charge'],
    limit: 100,
  });
  for await (const session of sessions) {
    stopped.throwIfAborted();
    const { payment, checkout, charge } = checkoutOf(session);
    seen.add(payment);
    const ours = await store.sale(payment);
    let theirs = saleOf([checkout], { paymentLinks });
    // Disputes and refunds take more requests, so they are fetched only when there may be some. The total in
    // the charge does not settle the comparison: it may contain refunds that failed.
    if (
      charge &&
      (charge.disputed || charge.amount_refunded > 0 || (ours && !isSame(theirs, ours)))
    ) {
      const facts = [checkout, ...(await refundsAndDisputes(stripe, payment))];
      theirs = saleOf(facts, { paymentLinks });
      // Whether the rest that was not captured is a refund depends on the API version of the capture.
      const rest = charge.amount - charge.amount_captured;
      if (rest > 0 && !isSame(theirs, ours)) {
        theirs = saleOf([...facts, captureOf(charge, rest)], { paymentLinks });
      }
    }
    // The owner may have dropped a sale that Stripe says is of the product.
    const isOther = (ours ?? theirs)?.origin === 'other';
    if (!isSame(theirs, ours)) {
      found.differing.push({ payment, stripe: sideOf(theirs), ours: sideOf(ours), isOther });
    } else if (theirs) {
      found.agreed += 1;
      if (!isOther) found.revenue = plus(found.revenue, theirs, currency);
    }
  }
  for await (const payment of store.checkoutsSince(since, { isLive })) {
    stopped.throwIfAborted();
    if (seen.has(payment)) continue;
    seen.add(payment);
    const ours = await store.sale(payment);
    if (!ours) continue;
    const isOther = ours.origin === 'other';
    found.differing.push({ payment, stripe: undefined, ours: sideOf(ours), isOther });
  }
  return found;
}

/** Returns the facts of a session and the charge that paid it, if any. */
function checkoutOf(session: Stripe.Checkout.Session) {
  const {
    payment,
    facts: [fact],
  } = readSession(session, session.created * 1000);
  const intent = session.payment_intent;
  const charge = intent && typeof intent === 'object' ? intent.latest_charge : null;
  if (!charge || typeof charge === 'string') return { payment, checkout: fact, charge: undefined };
  const captured = { amount: charge.amount_captured, currency: charge.currency.toUpperCase() };
  // A session whose payment was only authorized stays unpaid when the owner captures it.
  const isPaid = fact.isPaid || (charge.captured && charge.status === 'succeeded');
  return { payment, checkout: { ...withCaptured(fact, captured), isPaid }, charge };
}

/** A capture that refunded the rest, as of now: after all refunds. */
const captureOf = (charge: Stripe.Charge, rest: number): ChargeFact => ({
  kind: 'charge',
  id: charge.id,
  at: Number.MAX_SAFE_INTEGER,
  isCapture: true,
  amount: charge.amount_captured,
  refunded: rest,
  rest,
  currency: charge.currency.toUpperCase(),
});

/** Fetches the refunds and disputes of a payment in their current state. */
async function refundsAndDisputes(stripe: Stripe, payment: string): Promise<Fact[]> {
  const facts: Fact[] = [];
  const query = { payment_intent: payment, limit: 100 };
  for await (const refund of stripe.refunds.list(query)) {
    facts.push(...readRefund(refund, refund.created * 1000).facts);
  }
  for await (const dispute of stripe.disputes.list(query)) {
    facts.push(...readDispute(dispute, dispute.created * 1000).facts);
  }
  return facts;
}

const sideOf = (sale: Side | undefined): Side | undefined =>
  sale && {
    amount: sale.amount,
    refunded: sale.refunded,
    disputed: sale.disputed,
    currency: sale.currency,
  };

const isSame = (a: Side | undefined, b: Side | undefined) =>
  isDeepStrictEqual(sideOf(a), sideOf(b));

const noRevenue: Revenue = { gross: 0, refunded: 0, net: 0 };

function plus(
  { gross, refunded, net }: Revenue,
  side: Side | undefined,
  currency: string,
): Revenue {
  if (side?.currency !== currency) return { gross, refunded, net };
  return {
    gross: gross + side.amount,
    refunded: refunded + side.refunded,
    net: net + side.amount - side.refunded,
  };
}

const summaryOf = (
  { agreed, revenue }: Comparison,
  differing: DifferingPayment[],
  currency: string,
) => {
  const counted = differing.filter(({ isOther }) => !isOther);
  return {
    payments: agreed + differing.length,
    differ: differing.length,
    differing: differing.slice(0, maxListed),
    stripe: counted.reduce((sum, { stripe }) => plus(sum, stripe, currency), revenue),
    ours: counted.reduce((sum, { ours }) => plus(sum, ours, currency), revenue),
  };
};
