/** Fetches Stripe's fees, which events do not contain. */
import type Stripe from 'stripe';
import { dayMs } from '../../time/units.ts';
import { differencesOf, type RowDifference } from '../compare.ts';
import { openStripe, type StripeAccess } from './api.ts';
import type { Fee, PaymentStore } from './store.ts';

/** How far back the first fetch reads in ms, and how far each later one reads again. */
const firstFetchMs = 400 * dayMs;
const repeatMs = 3 * dayMs;

export interface FeeOptions extends StripeAccess {
  store: Pick<PaymentStore, 'addFees' | 'newestFee'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
}

/**
 * Fetches and stores the fees of payments since the newest stored one. Throws when a request to Stripe
 * fails: without the permission to read balance transaction sources, with a `StripePermissionError`.
 */
export async function fetchFees(
  { store, now, ...access }: FeeOptions,
  stopped: AbortSignal,
): Promise<void> {
  const newest = await store.newestFee();
  const since = newest === undefined ? now() - firstFetchMs : newest - repeatMs;
  // The oldest is stored first, so that after an interruption the next run starts at the newest stored fee
  // and misses none.
  await store.addFees(await feesSince(access, since, stopped));
}

/**
 * Compares the stored fees since a whole second (milliseconds since 1970, UTC), up to the newest one, with
 * Stripe's. Throws like `fetchFees`.
 */
export async function compareFees(
  { store, ...access }: StripeAccess & { store: Pick<PaymentStore, 'feesSince'> },
  since: number,
): Promise<{ checked: number; differences: Omit<RowDifference, 'sale'>[] }> {
  const stored = await store.feesSince(since);
  const newest = stored.at(-1)?.at;
  if (newest === undefined) return { checked: 0, differences: [] };
  const fetched = await feesSince(access, since, new AbortController().signal);
  const computed = fetched.filter(({ at }) => at <= newest);
  return {
    checked: Math.max(stored.length, computed.length),
    differences: differencesOf('stripe_fee', ['id'], { stored, computed }),
  };
}

/** Fetches the fees since `since`, the oldest first. */
async function feesSince(
  access: StripeAccess,
  since: number,
  stopped: AbortSignal,
): Promise<Fee[]> {
  const stripe = await openStripe(access);
  const query = { created: { gte: Math.floor(since / 1000) }, expand: ['data.source'], limit: 100 };
  const fees: Fee[] = [];
  for await (const transaction of stripe.balanceTransactions.list(query)) {
    stopped.throwIfAborted();
    fees.push(...feeOf(transaction));
  }
  // Stripe lists the newest first.
  return fees.reverse();
}

/** The fee of a balance transaction; none when it has no fee or is of no payment. */
function feeOf({ id, fee, currency, created, source }: Stripe.BalanceTransaction): Fee[] {
  if (fee === 0 || !source || typeof source === 'string') return [];
  const intent = 'payment_intent' in source ? source.payment_intent : null;
  const payment = typeof intent === 'object' ? intent?.id : intent;
  if (!payment) return [];
  return [{ id, payment, at: created * 1000, amount: fee, currency: currency.toUpperCase() }];
}
