/**
 * Folds Stripe's events into one sale. Events arrive late, repeated and out of order, so the sale is a
 * pure function of the set of facts.
 */
import type { SettledSale } from '../analytics/store.ts';
import type { Attribution } from '../attribution/token.ts';
import type {
  ChargeFact,
  CheckoutFact,
  DisputeFact,
  Fact,
  Money,
  RefundFact,
} from '../stripe/facts.ts';

/** Order of states: a refund or dispute never returns to an earlier one. */
const refundRanks: Record<RefundFact['state'], number> = { pending: 0, succeeded: 1, failed: 2 };
const disputeRanks: Record<DisputeFact['state'], number> = { inquiry: 0, open: 1, lost: 2, won: 3 };

/** Reads the attribution from a reference of a payment `at` (milliseconds since 1970, UTC). */
export type Attribute = (reference: string, at: number) => Attribution | undefined;

/**
 * Computes the sale from all facts of one payment; undefined while it is unpaid. The source in our signed
 * token takes precedence over unsigned metadata. `paymentLinks` are those of the product; with none, every
 * checkout sells it.
 */
export function saleOf(
  facts: readonly Fact[],
  attribute: Attribute,
  paymentLinks: readonly string[] = [],
): SettledSale | undefined {
  const checkouts = ofKind(facts, 'checkout').sort(byTime);
  const charges = ofKind(facts, 'charge');
  const capture = captureOf(charges);
  const paid = paidCheckouts(checkouts, capture);
  const [first] = paid;
  if (!first) return undefined;

  const { charged, priced } = first;
  const refunds = latest(ofKind(facts, 'refund'), refundRanks);
  const disputes = latest(ofKind(facts, 'dispute'), disputeRanks);
  const returned = [
    ...refunds.filter(({ state }) => state !== 'failed'),
    ...unlistedRefunds(charges, refunds),
    ...disputes.filter(({ state }) => state === 'lost'),
    // Versions of the API before 2025-03-31 report what was not captured as a refund, too.
    ...(capture ? [{ amount: -capture.refunded, currency: capture.currency }] : []),
  ];
  const open = disputes.filter(({ state }) => state === 'open');
  const refunded = Math.min(priced.amount, Math.max(0, inPrice(returned, { charged, priced })));
  const [attributed] = paid.flatMap(
    ({ reference }) => (reference !== null && attribute(reference, first.at)) || [],
  );
  return {
    at: first.at,
    amount: priced.amount,
    refunded,
    disputed: Math.min(priced.amount - refunded, inPrice(open, { charged, priced })),
    currency: priced.currency,
    email: paid.find(({ email }) => email)?.email ?? null,
    source: attributed ? attributed.last : (paid.find(({ source }) => source)?.source ?? null),
    firstSource: attributed?.first ?? null,
    control: attributed?.control ?? null,
    isOther:
      paymentLinks.length > 0 &&
      !paid.some(({ paymentLink }) => paymentLink !== null && paymentLinks.includes(paymentLink)),
  };
}

/**
 * Whether money was refunded or disputed in a currency that is neither that of the price nor that of the
 * charge. `saleOf` cannot deduct it.
 */
export function isUnconverted(facts: readonly Fact[]): boolean {
  const known = ofKind(facts, 'checkout').flatMap(({ charged, priced }) => [
    charged.currency,
    priced.currency,
  ]);
  const returned = [
    ...latest(ofKind(facts, 'refund'), refundRanks).filter(({ state }) => state !== 'failed'),
    ...latest(ofKind(facts, 'dispute'), disputeRanks).filter(
      ({ state }) => state === 'open' || state === 'lost',
    ),
  ];
  return known.length > 0 && returned.some(({ currency }) => !known.includes(currency));
}

const ofKind = <K extends Fact['kind']>(facts: readonly Fact[], kind: K) =>
  facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind);

/** The capture of a payment that was only authorized; undefined for one that was charged at once. */
function captureOf(charges: readonly ChargeFact[]): ChargeFact | undefined {
  const captures = charges.filter(({ isCapture }) => isCapture);
  return captures.sort((a, b) => a.at - b.at || a.amount - b.amount)[0];
}

/**
 * The paid checkouts, the first one with what was captured. Stripe sends no checkout event when the owner
 * captures a payment that was only authorized.
 */
function paidCheckouts(
  checkouts: readonly CheckoutFact[],
  capture: ChargeFact | undefined,
): CheckoutFact[] {
  const paid = checkouts.filter(({ isPaid }) => isPaid);
  const [first = checkouts[0], ...others] = paid;
  if (!first || !capture) return paid;
  const at = first.isPaid ? first.at : capture.at;
  return [{ ...withCaptured(first, capture), at }, ...others];
}

/** The checkout with the amount that was captured of it, and that share of its price. */
export function withCaptured(checkout: CheckoutFact, { amount, currency }: Money): CheckoutFact {
  const { charged, priced } = checkout;
  const share = charged.amount > 0 ? amount / charged.amount : 1;
  return {
    ...checkout,
    charged: { amount, currency },
    priced: { ...priced, amount: Math.round(priced.amount * share) },
  };
}

/**
 * What the charges say was refunded beyond the refunds that were reported one by one: versions of the API
 * before 2024-10-28 report only the sum.
 */
function unlistedRefunds(charges: readonly ChargeFact[], refunds: readonly RefundFact[]): Money[] {
  const inOrder = [...charges].sort((a, b) => a.at - b.at || a.refunded - b.refunded);
  const newest = new Map(inOrder.map((charge) => [charge.id, charge])).values();
  return [...newest].map(({ at, refunded, currency }) => {
    const listed = refunds.filter(
      (refund) =>
        refund.currency === currency &&
        refund.createdAt <= at &&
        (refund.state !== 'failed' || refund.at >= at),
    );
    return { amount: Math.max(0, refunded - sum(listed.map(({ amount }) => amount))), currency };
  });
}

/** Earliest first; ties are broken by content, so that the order of arrival does not matter. */
const byTime = (a: CheckoutFact, b: CheckoutFact) =>
  a.at - b.at || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Returns the fact of each id with the latest state, as it was first reported. */
function latest<State extends string, F extends Money & { id: string; state: State; at?: number }>(
  facts: readonly F[],
  ranks: Record<State, number>,
): F[] {
  const byId = new Map<string, F>();
  for (const fact of facts) {
    const known = byId.get(fact.id);
    const isLater =
      !known ||
      (ranks[fact.state] - ranks[known.state] ||
        fact.amount - known.amount ||
        (known.at ?? 0) - (fact.at ?? 0)) > 0;
    if (isLater) byId.set(fact.id, fact);
  }
  return [...byId.values()];
}

/**
 * The sum in the priced currency. Money in the charged currency is converted in proportion to the charge,
 * all of it at once, so that refunds of the whole charge are the whole price.
 */
function inPrice(
  money: readonly Money[],
  { charged, priced }: Pick<CheckoutFact, 'charged' | 'priced'>,
): number {
  const sumIn = (currency: string) =>
    sum(money.filter((one) => one.currency === currency).map(({ amount }) => amount));
  if (priced.currency === charged.currency) return sumIn(priced.currency);
  const share = charged.amount > 0 ? sumIn(charged.currency) / charged.amount : 0;
  return Math.round(share * priced.amount) + sumIn(priced.currency);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
