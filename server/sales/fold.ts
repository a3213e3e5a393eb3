/**
 * Folds Stripe's events into one sale. Events arrive late, repeated and out of order, so the sale is a
 * pure function of the set of facts.
 */
import type { SettledSale } from '../analytics/store.ts';
import type { Attribution } from '../attribution/token.ts';
import type { CheckoutFact, DisputeFact, Fact, Money, RefundFact } from '../stripe/facts.ts';

/** Order of states: a refund or dispute never returns to an earlier one. */
const refundRanks: Record<RefundFact['state'], number> = { pending: 0, succeeded: 1, failed: 2 };
const disputeRanks: Record<DisputeFact['state'], number> = { inquiry: 0, open: 1, lost: 2, won: 3 };

/** Reads the attribution from a reference of a payment `at` (milliseconds since 1970, UTC). */
export type Attribute = (reference: string, at: number) => Attribution | undefined;

/**
 * Computes the sale from all facts of one payment; undefined while it is unpaid. The source in our signed
 * token takes precedence over unsigned metadata.
 */
export function saleOf(facts: readonly Fact[], attribute: Attribute): SettledSale | undefined {
  const checkouts = facts.filter((fact): fact is CheckoutFact => fact.kind === 'checkout');
  const paid = checkouts.filter(({ isPaid }) => isPaid).sort(byTime);
  const [first] = paid;
  if (!first) return undefined;

  const { charged, priced } = first;
  const inPrice = (money: Money) => converted(money, charged, priced);
  const refunds = latest(
    facts.filter((fact): fact is RefundFact => fact.kind === 'refund'),
    refundRanks,
  );
  const disputes = latest(
    facts.filter((fact): fact is DisputeFact => fact.kind === 'dispute'),
    disputeRanks,
  );
  const returned = [
    ...refunds.filter(({ state }) => state !== 'failed'),
    ...disputes.filter(({ state }) => state === 'lost'),
  ];
  const open = disputes.filter(({ state }) => state === 'open');
  const refunded = Math.min(priced.amount, sum(returned.map(inPrice)));
  const [attributed] = paid.flatMap(
    ({ reference }) => (reference !== null && attribute(reference, first.at)) || [],
  );
  return {
    at: first.at,
    amount: priced.amount,
    refunded,
    disputed: Math.min(priced.amount - refunded, sum(open.map(inPrice))),
    currency: priced.currency,
    email: paid.find(({ email }) => email)?.email ?? null,
    source: attributed ? attributed.last : (paid.find(({ source }) => source)?.source ?? null),
    firstSource: attributed?.first ?? null,
    control: attributed?.control ?? null,
  };
}

/** Earliest first; ties are broken by content, so that the order of arrival does not matter. */
const byTime = (a: CheckoutFact, b: CheckoutFact) =>
  a.at - b.at || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Returns the fact of each id with the latest state. */
function latest<State extends string, F extends Money & { id: string; state: State }>(
  facts: readonly F[],
  ranks: Record<State, number>,
): F[] {
  const byId = new Map<string, F>();
  for (const fact of facts) {
    const known = byId.get(fact.id);
    const isLater =
      !known ||
      ranks[fact.state] > ranks[known.state] ||
      (fact.state === known.state && fact.amount > known.amount);
    if (isLater) byId.set(fact.id, fact);
  }
  return [...byId.values()];
}

/**
 * Converts money from the charged currency into the priced currency, in proportion to the charge. Returns
 * 0 for any third currency.
 */
function converted({ amount, currency }: Money, charged: Money, priced: Money): number {
  if (currency === charged.currency && charged.amount > 0) {
    return Math.round((amount * priced.amount) / charged.amount);
  }
  return currency === priced.currency ? amount : 0;
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
