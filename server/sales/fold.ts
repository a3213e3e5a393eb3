/**
 * From what Stripe said to one sale. Events come late, twice, in any order, and two of them may tell
 * the same: so the sale is a function of the set of facts and of nothing else.
 */
import type { SettledSale } from '../analytics/store.ts';
import type { Attribution } from '../attribution/token.ts';
import type { CheckoutFact, DisputeFact, Fact, Money, RefundFact } from '../stripe/facts.ts';

/** A refund or a dispute goes through these states and never back. */
const refundRanks: Record<RefundFact['state'], number> = { pending: 0, succeeded: 1, failed: 2 };
const disputeRanks: Record<DisputeFact['state'], number> = { inquiry: 0, open: 1, lost: 2, won: 3 };

/** What a reference says of a payment `at` (milliseconds since 1970, UTC); undefined: nothing. */
export type Attribute = (reference: string, at: number) => Attribution | undefined;

/**
 * The sale that all facts of one payment make together; undefined while it is not paid. What our own
 * token says of its source is signed, so it comes before what anybody could have written.
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
  const given = [
    ...refunds.filter(({ state }) => state !== 'failed'),
    ...disputes.filter(({ state }) => state === 'lost'),
  ];
  const open = disputes.filter(({ state }) => state === 'open');
  const refunded = Math.min(priced.amount, sum(given.map(inPrice)));
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

/** The earliest first; among equals by their content, so that the order they came in says nothing. */
const byTime = (a: CheckoutFact, b: CheckoutFact) =>
  a.at - b.at || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Of each id the fact that is furthest. */
function latest<State extends string, F extends Money & { id: string; state: State }>(
  facts: readonly F[],
  ranks: Record<State, number>,
): F[] {
  const byId = new Map<string, F>();
  for (const fact of facts) {
    const known = byId.get(fact.id);
    const isFurther =
      !known ||
      ranks[fact.state] > ranks[known.state] ||
      (fact.state === known.state && fact.amount > known.amount);
    if (isFurther) byId.set(fact.id, fact);
  }
  return [...byId.values()];
}

/**
 * Money told in the charged currency, in the priced one: its share of the charge, as share of the
 * price. In a currency that is neither, nothing can be said of it.
 */
function converted({ amount, currency }: Money, charged: Money, priced: Money): number {
  if (currency === charged.currency && charged.amount > 0) {
    return Math.round((amount * priced.amount) / charged.amount);
  }
  return currency === priced.currency ? amount : 0;
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
