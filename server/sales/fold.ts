/**
 * Folds what Stripe's events and other reports say into one sale. They arrive late, repeated and out of
 * order, so the sale is a pure function of the set of facts.
 */

import type { Attribution } from '../attribution/token.ts';
import type { Sale, SaleEntry, SettledSale } from './sale.ts';
import type {
  ChargeFact,
  CheckoutFact,
  DisputeFact,
  Fact,
  Money,
  RefundFact,
} from './stripe/facts.ts';

/**
 * Order of states. A failed refund is final: Stripe credits it back, and another attempt has a new id
 * (https://docs.stripe.com/refunds#failed-refunds). A bank can reverse how a dispute ended.
 */
const refundRanks: Record<RefundFact['state'], number> = { pending: 0, succeeded: 1, failed: 2 };
const disputeRanks: Record<DisputeFact['state'], number> = { inquiry: 0, open: 1, lost: 2, won: 3 };

/** Reads the attribution from a reference of a payment `at` (milliseconds since 1970, UTC). */
type Attribute = (reference: string, at: number) => Attribution | undefined;

/** What another checkout or a file reported of a sale. */
export interface ReportedSale extends Sale {
  /** When `refunded` and `disputed` were so, milliseconds since 1970, UTC. */
  reportedAt: number;
}

/** What a sale depends on besides Stripe's facts. */
export interface SaleContext {
  /** By default, no reference has an attribution. */
  attribute?: Attribute;
  /** The Payment Links of the product; with none, every checkout sells it. */
  paymentLinks?: readonly string[];
  /** All reports of this sale. The first one says what was sold, the others what was returned of it. */
  reports?: readonly ReportedSale[];
  /** When the newest event arrived: a clock ahead of ours would date the sale in the future. */
  receivedAt?: number | undefined;
}

/** Money with its date, milliseconds since 1970, UTC. */
interface Returned extends Money {
  kind: 'refund' | 'dispute';
  at: number;
}

/**
 * Computes the sale from all facts of one payment and from the reports with its id; undefined while it is
 * unpaid. Stripe's checkout takes precedence over a report, and the source in our signed token over
 * unsigned metadata.
 */
export function saleOf(
  facts: readonly Fact[],
  {
    attribute = () => undefined,
    paymentLinks = [],
    reports = [],
    receivedAt = Number.MAX_SAFE_INTEGER,
  }: SaleContext = {},
): SettledSale | undefined {
  const charges = ofKind(facts, 'charge');
  const capture = captureOf(charges);
  const paid = paidCheckouts(ofKind(facts, 'checkout').sort(byTime), capture);
  const states = [...reports].sort((a, b) => a.reportedAt - b.reportedAt);
  const base = checkoutBase(paid, { attribute, paymentLinks, receivedAt }) ?? reportBase(states);
  if (!base) return undefined;

  const { tax, charged, priced, ...sale } = base;
  const isReported = sale.origin === 'report';
  const refunds = latest(ofKind(facts, 'refund'), refundRanks);
  const disputes = newestDisputes(facts);
  const returned: Returned[] = [
    // Versions of the API before 2025-03-31 report what was not captured as a refund, too.
    ...(capture
      ? [
          {
            ...capture,
            kind: 'refund' as const,
            amount: -Math.min(capture.rest, capture.refunded),
            at: -Infinity,
          },
        ]
      : []),
    ...refunds
      .filter(({ state }) => state !== 'failed')
      .map((refund) => ({ ...refund, at: refund.createdAt })),
    ...unlistedRefunds(charges, refunds),
    ...disputes.filter(({ state }) => state === 'lost'),
  ];
  const byStripe = entriesOf(returned, { charged, priced }).map((entry) => ({
    ...entry,
    at: Math.min(entry.at, receivedAt),
  }));
  const entries = [
    ...(tax > 0 ? [{ kind: 'tax' as const, at: sale.at, amount: tax }] : []),
    ...byStripe,
    ...(isReported ? beyond(sum(byStripe), { states, price: priced.amount }) : []),
  ];
  const refunded = sum(entries.filter(({ kind }) => kind !== 'tax'));
  const open = disputes.filter(({ state }) => state === 'open');
  const disputed =
    isReported && disputes.length === 0
      ? (states.at(-1)?.disputed ?? 0)
      : inPrice(open, { charged, priced });
  return {
    ...sale,
    amount: priced.amount,
    currency: priced.currency,
    refunded,
    disputed: Math.min(priced.amount - refunded, disputed),
    entries: entries.sort((a, b) => a.at - b.at || byText(a.kind, b.kind) || a.amount - b.amount),
  };
}

/**
 * Whether money was refunded or disputed in a currency that is neither that of the price nor that of the
 * charge. `saleOf` cannot deduct it.
 */
export function isUnconverted(
  facts: readonly Fact[],
  reports: readonly ReportedSale[] = [],
): boolean {
  const known = [
    ...ofKind(facts, 'checkout').flatMap(({ charged, priced }) => [charged, priced]),
    ...reports,
  ].map(({ currency }) => currency);
  const returned = [
    ...latest(ofKind(facts, 'refund'), refundRanks).filter(({ state }) => state !== 'failed'),
    ...newestDisputes(facts).filter(({ state }) => state === 'open' || state === 'lost'),
  ];
  return known.length > 0 && returned.some(({ currency }) => !known.includes(currency));
}

/** What was sold, before anything was returned. */
interface Base
  extends Pick<SettledSale, 'at' | 'email' | 'source' | 'firstSource' | 'button' | 'origin'>,
    Pick<CheckoutFact, 'charged' | 'priced'> {
  /** In the priced currency. */
  tax: number;
}

function checkoutBase(
  paid: readonly CheckoutFact[],
  {
    attribute,
    paymentLinks,
    receivedAt,
  }: Required<Pick<SaleContext, 'attribute' | 'paymentLinks'>> & { receivedAt: number },
): Base | undefined {
  const [first] = paid;
  if (!first) return undefined;
  const { at, charged, priced } = first;
  const [attributed] = paid.flatMap(
    ({ reference }) => (reference !== null && attribute(reference, at)) || [],
  );
  return {
    at: Math.min(at, receivedAt),
    charged,
    priced,
    tax: inPrice([{ ...charged, amount: first.tax }], first),
    email: paid.find(({ email }) => email)?.email ?? null,
    source: attributed ? attributed.last : (paid.find(({ source }) => source)?.source ?? null),
    firstSource: attributed?.first ?? null,
    button: attributed?.button ?? null,
    origin:
      paymentLinks.length === 0 ||
      paid.some(({ paymentLink }) => paymentLink !== null && paymentLinks.includes(paymentLink))
        ? 'payment'
        : 'other',
  };
}

function reportBase([first]: readonly ReportedSale[]): Base | undefined {
  if (!first) return undefined;
  const { at, amount, currency, email, source, firstSource, button } = first;
  const price = { amount, currency };
  return {
    at,
    email,
    source,
    firstSource,
    button,
    charged: price,
    priced: price,
    tax: 0,
    origin: 'report',
  };
}

/** What was reported as refunded beyond the sum that Stripe reports, by the date of each report. */
function beyond(
  sum: number,
  { states, price }: { states: readonly ReportedSale[]; price: number },
): SaleEntry[] {
  let before = 0;
  return states.flatMap(({ refunded, reportedAt, at: soldAt }) => {
    const more = Math.max(0, Math.min(refunded, price) - sum);
    const amount = more - before;
    before = more;
    // A first report may not say when its refund was.
    const at = Math.max(reportedAt, soldAt);
    return amount === 0 ? [] : [{ kind: 'refund' as const, at, amount }];
  });
}

/** The entries of what was returned. Their sum is never below 0 or above the price. */
function entriesOf(
  returned: readonly Returned[],
  base: Pick<CheckoutFact, 'charged' | 'priced'>,
): SaleEntry[] {
  const inOrder = [...returned].sort(
    (a, b) => a.at - b.at || byText(a.kind, b.kind) || a.amount - b.amount,
  );
  const sumOf = (n: number) =>
    Math.min(base.priced.amount, Math.max(0, inPrice(inOrder.slice(0, n), base)));
  return inOrder
    .map(({ kind, at }, i) => ({ kind, at, amount: sumOf(i + 1) - sumOf(i) }))
    .filter(({ amount }) => amount !== 0);
}

const ofKind = <K extends Fact['kind']>(facts: readonly Fact[], kind: K) =>
  facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind);

/**
 * What was captured of a payment that was only authorized, dated by its first capture; undefined for a payment
 * that was charged at once.
 */
function captureOf(charges: readonly ChargeFact[]): ChargeFact | undefined {
  const captures = charges
    .filter(({ isCapture }) => isCapture)
    .sort((a, b) => a.at - b.at || a.amount - b.amount);
  const [first, last] = [captures[0], captures.at(-1)];
  return first && last && { ...last, at: first.at };
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

/** The checkout with the amount that was captured of it, and that share of its price and tax. */
export function withCaptured(checkout: CheckoutFact, { amount, currency }: Money): CheckoutFact {
  const { charged, priced, tax } = checkout;
  const share = charged.amount > 0 ? amount / charged.amount : 1;
  return {
    ...checkout,
    charged: { amount, currency },
    priced: { ...priced, amount: Math.round(priced.amount * share) },
    tax: Math.round(tax * share),
  };
}

/**
 * What the charges say was refunded beyond the refunds that were reported one by one, dated by the event
 * that first says so: versions of the API before 2024-10-28 report only the sum.
 */
function unlistedRefunds(
  charges: readonly ChargeFact[],
  refunds: readonly RefundFact[],
): Returned[] {
  const inOrder = [...charges].sort((a, b) => a.at - b.at || a.refunded - b.refunded);
  const unlisted = ({ at, refunded, currency }: ChargeFact) => {
    const listed = refunds.filter(
      (refund) =>
        refund.currency === currency &&
        refund.createdAt <= at &&
        (refund.state !== 'failed' || refund.at >= at),
    );
    return Math.max(0, refunded - sum(listed));
  };
  const newest = new Map(inOrder.map((charge) => [charge.id, charge])).values();
  return [...newest].flatMap((last) => {
    const total = unlisted(last);
    let dated = 0;
    return inOrder
      .filter(({ id }) => id === last.id)
      .flatMap((charge) => {
        const amount = Math.min(total, unlisted(charge)) - dated;
        if (amount <= 0) return [];
        dated += amount;
        return [{ kind: 'refund' as const, at: charge.at, amount, currency: charge.currency }];
      });
  });
}

/** Earliest first; ties are broken by content, so that the order of arrival does not matter. */
const byTime = (a: CheckoutFact, b: CheckoutFact) =>
  a.at - b.at || byText(JSON.stringify(a), JSON.stringify(b));

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Returns the fact of each id with the latest state, as it was first reported. */
function latest<State extends string, F extends Money & { id: string; state: State; at: number }>(
  facts: readonly F[],
  ranks: Record<State, number>,
): F[] {
  const byId = new Map<string, F>();
  for (const fact of facts) {
    const known = byId.get(fact.id);
    const isLater =
      !known ||
      (ranks[fact.state] - ranks[known.state] || fact.amount - known.amount || known.at - fact.at) >
        0;
    if (isLater) byId.set(fact.id, fact);
  }
  return [...byId.values()];
}

/** Returns the newest state of each dispute, dated by the report that began it. */
function newestDisputes(facts: readonly Fact[]): DisputeFact[] {
  const disputes = ofKind(facts, 'dispute').sort(
    (a, b) => a.at - b.at || disputeRanks[a.state] - disputeRanks[b.state] || a.amount - b.amount,
  );
  const newest = new Map<string, DisputeFact>();
  for (const dispute of disputes) {
    const known = newest.get(dispute.id);
    const at = known?.state === dispute.state ? known.at : dispute.at;
    newest.set(dispute.id, { ...dispute, at });
  }
  return [...newest.values()];
}

/**
 * The sum in the priced currency. Money in the charged currency is converted in proportion to the charge,
 * all of it at once, so that refunds of the whole charge are the whole price.
 */
function inPrice(
  money: readonly Money[],
  { charged, priced }: Pick<CheckoutFact, 'charged' | 'priced'>,
): number {
  const sumIn = (currency: string) => sum(money.filter((one) => one.currency === currency));
  if (priced.currency === charged.currency) return sumIn(priced.currency);
  const share = charged.amount > 0 ? sumIn(charged.currency) / charged.amount : 0;
  return Math.round(share * priced.amount) + sumIn(priced.currency);
}

const sum = (money: readonly { amount: number }[]) =>
  money.reduce((total, { amount }) => total + amount, 0);
