/**
 * Compares what Stripe knows of the last thirty days' payments with what is counted here, payment by
 * payment. Events tell what changed; this asks for what is, so it finds what no event told.
 */
import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import type { SettledSale } from '../analytics/store.ts';
import { saleOf } from '../sales/fold.ts';
import { isLiveKey, openStripe, type StripeAccess } from './api.ts';
import { type Fact, type RefundFact, readDispute, readRefund, readSession } from './facts.ts';
import type { PaymentStore } from './store.ts';

const looksBack = 30 * 24 * 60 * 60_000;

/** How many payments that differ are told one by one. */
const told = 20;

/** A payment as one side has it, in the currency's smallest unit. */
type Side = Pick<SettledSale, 'amount' | 'refunded' | 'disputed' | 'currency'>;

/** A payment of which the two sides say different things; undefined: nothing was sold. */
interface DifferingPayment {
  payment: string;
  stripe: Side | undefined;
  ours: Side | undefined;
}

/** Cents of US dollars; other currencies are compared, not summed. */
interface Takings {
  gross: number;
  refunded: number;
  net: number;
}

export interface Reconciliation {
  /** When it was compared, milliseconds since 1970, UTC. */
  at: number;
  /** Number of sales that were compared. */
  payments: number;
  /** How many of them differ, and the first twenty. */
  differ: number;
  differing: DifferingPayment[];
  /** The sales of checkouts that began in the thirty days before. */
  stripe: Takings;
  ours: Takings;
}

export interface ReconcileOptions extends StripeAccess {
  store: Pick<PaymentStore, 'sale' | 'checkoutsSince'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Waits for news that may be under way, and takes it in. */
  settle: () => Promise<void>;
}

/**
 * Compares both sides. A payment that differs is looked at again after `settle`: it counts as
 * differing when it did both times. One that differs for the first time then is under way, and left
 * out on both sides. Throws when Stripe cannot be asked, or when it is stopped.
 */
export async function reconcile(
  { store, now, settle, ...access }: ReconcileOptions,
  stopped: AbortSignal,
): Promise<Reconciliation> {
  const stripe = await openStripe(access);
  const place = { stripe, store, isLive: isLiveKey(access.apiKey), stopped };
  const since = Math.floor((now() - looksBack) / 1000) * 1000;
  const start = now();
  const first = await look({ ...place, since });
  if (first.differing.length === 0) return { at: start, ...summaryOf(first, []) };
  await settle();
  const at = now();
  const second = await look({ ...place, since });
  const before = new Set(first.differing.map(({ payment }) => payment));
  const still = second.differing.filter(({ payment }) => before.has(payment));
  return { at, ...summaryOf(second, still) };
}

interface Look {
  /** Number of sales on which both sides agree, and their dollars. */
  agreed: number;
  takings: Takings;
  differing: DifferingPayment[];
}

/** Asks about every checkout that began since then, one after the other, and keeps what differs. */
async function look({
  stripe,
  store,
  since,
  isLive,
  stopped,
}: {
  stripe: Stripe;
  store: ReconcileOptions['store'];
  since: number;
  isLive: boolean;
  stopped: AbortSignal;
}): Promise<Look> {
  const found: Look = { agreed: 0, takings: nothing, differing: [] };
  const seen = new Set<string>();
  const sessions = stripe.checkout.sessions.list({
    created: { gte: since / 1000 },
    status: 'complete',
    expand: ['data.payment_intent.latest_charge'],
    limit: 100,
  });
  for await (const session of sessions) {
    stopped.throwIfAborted();
    const { payment, checkout, charge } = read(session);
    seen.add(payment);
    const ours = await store.sale(payment);
    let theirs = saleOf([checkout, ...(charge ? [refundOf(charge)] : [])], nobody);
    // The charge says how much went back by refunds. Disputes, and refunds one by one, are asked for
    // only where they can matter.
    if (charge?.disputed || (charge && ours && !isSame(theirs, ours))) {
      theirs = saleOf([checkout, ...(await givenBack(stripe, payment))], nobody);
    }
    if (!isSame(theirs, ours)) {
      found.differing.push({ payment, stripe: sideOf(theirs), ours: sideOf(ours) });
    } else if (theirs) {
      found.agreed += 1;
      found.takings = plus(found.takings, theirs);
    }
  }
  for await (const payment of store.checkoutsSince(since, { isLive })) {
    stopped.throwIfAborted();
    if (seen.has(payment)) continue;
    seen.add(payment);
    const ours = sideOf(await store.sale(payment));
    if (ours) found.differing.push({ payment, stripe: undefined, ours });
  }
  return found;
}

/** A session, and the charge that paid it, if one did. */
function read(session: Stripe.Checkout.Session) {
  const {
    payment,
    facts: [fact],
  } = readSession(session, session.created * 1000);
  const intent = session.payment_intent;
  const charge = intent && typeof intent === 'object' ? intent.latest_charge : null;
  if (!charge || typeof charge === 'string') return { payment, checkout: fact, charge: undefined };
  const charged = { amount: charge.amount_captured, currency: charge.currency.toUpperCase() };
  const priced = fact.priced.currency === charged.currency ? charged : fact.priced;
  return { payment, checkout: { ...fact, charged, priced }, charge };
}

/** All refunds of a charge, as one. */
const refundOf = ({ id, amount_refunded: amount, currency }: Stripe.Charge): RefundFact => ({
  kind: 'refund',
  id,
  amount,
  currency: currency.toUpperCase(),
  state: 'succeeded',
});

/** Each refund and each dispute of a payment, in the state it is in. */
async function givenBack(stripe: Stripe, payment: string): Promise<Fact[]> {
  const facts: Fact[] = [];
  const query = { payment_intent: payment, limit: 100 };
  for await (const refund of stripe.refunds.list(query)) facts.push(...readRefund(refund).facts);
  for await (const dispute of stripe.disputes.list(query))
    facts.push(...readDispute(dispute).facts);
  return facts;
}

/** Where buyers came from is nothing that Stripe could know better. */
const nobody = () => undefined;

const sideOf = (sale: Side | undefined): Side | undefined =>
  sale && {
    amount: sale.amount,
    refunded: sale.refunded,
    disputed: sale.disputed,
    currency: sale.currency,
  };

const isSame = (a: Side | undefined, b: Side | undefined) =>
  isDeepStrictEqual(sideOf(a), sideOf(b));

const nothing: Takings = { gross: 0, refunded: 0, net: 0 };

function plus({ gross, refunded, net }: Takings, side: Side | undefined): Takings {
  if (side?.currency !== 'USD') return { gross, refunded, net };
  return {
    gross: gross + side.amount,
    refunded: refunded + side.refunded,
    net: net + side.amount - side.refunded,
  };
}

const summaryOf = ({ agreed, takings }: Look, differing: DifferingPayment[]) => ({
  payments: agreed + differing.length,
  differ: differing.length,
  differing: differing.slice(0, told),
  stripe: differing.reduce((sum, { stripe }) => plus(sum, stripe), takings),
  ours: differing.reduce((sum, { ours }) => plus(sum, ours), takings),
});
