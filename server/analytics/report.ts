import { decimalsOf } from '../contract/money.ts';
import type { StripeReport } from '../stripe/sync.ts';
import type { LocalDay } from './local-days.ts';
import type { Conversion, SourceTotals, TimeWindow, Totals } from './store.ts';

/** The figures on the dashboard's cards. */
export interface Summary {
  pageViews: number;
  ctaClicks: number;
  checkoutOpens: number;
  /** Calls booked in a calendar on the page. */
  callsBooked: number;
  conversions: number;
  /**
   * From the sales of the period in the owner's currency, net of refunds at any later time. In whole units,
   * such as dollars, as the two below.
   */
  totalRevenue: number;
  /** Refunded from the sales of the period. */
  refundedRevenue: number;
  /** The part of `totalRevenue` in open disputes. */
  disputedRevenue: number;
  /** Sales as a percentage of page views, unrounded; 0 without views. */
  conversionRate: number;
  /** Call-to-action clicks as a percentage of page views, unrounded. */
  ctaConversionRate: number;
}

/** Whole units of a currency, such as dollars, from its smallest unit. */
const wholeUnits = (amount: number, currency: string) => amount / 10 ** decimalsOf(currency);

/** Converts totals in a currency into the dashboard's figures in its whole units and percent. */
export function summaryOf(
  { revenue, refunded, disputed, ...counts }: Totals,
  currency: string,
): Summary {
  const percentOfViews = (n: number) => (counts.pageViews === 0 ? 0 : (100 * n) / counts.pageViews);
  return {
    ...counts,
    totalRevenue: wholeUnits(revenue, currency),
    refundedRevenue: wholeUnits(refunded, currency),
    disputedRevenue: wholeUnits(disputed, currency),
    conversionRate: percentOfViews(counts.conversions),
    ctaConversionRate: percentOfViews(counts.ctaClicks),
  };
}

/** A sale in the dashboard's response; unknown fields are omitted. */
export function listedSale(sale: Conversion) {
  const { id, at, amount, refunded, disputed, currency, email, source, firstSource, control } =
    sale;
  return {
    id,
    timestamp: new Date(at).toISOString(),
    conversionValue: amount,
    currency,
    ...(refunded > 0 && { refunded }),
    ...(disputed > 0 && { disputed }),
    ...(email !== null && { email }),
    ...(source !== null && { source }),
    ...(firstSource !== null && { firstSource }),
    ...(control !== null && { control }),
  };
}

/** Maximum number of differing payments listed. */
const maxPayments = 3;

/** The comparison with Stripe in the dashboard's response; null when Stripe is not connected. */
export function listedStripe(stripe: StripeReport | undefined, currency: string) {
  if (!stripe) return null;
  const { lastEventAt, reconciliation, alert } = stripe;
  return {
    /** When both sides were compared; null, like the figures, before the first comparison. */
    checkedAt: reconciliation ? new Date(reconciliation.at).toISOString() : null,
    lastEventAt: lastEventAt === undefined ? null : new Date(lastEventAt).toISOString(),
    /** Net revenue of the last thirty days, in whole units of the owner's currency. */
    net: reconciliation ? wholeUnits(reconciliation.stripe.net, currency) : null,
    ourNet: reconciliation ? wholeUnits(reconciliation.ours.net, currency) : null,
    /** Number of payments that differ, and Stripe's ids of the first ones. */
    differing: reconciliation?.differ ?? 0,
    payments: (reconciliation?.differing ?? []).slice(0, maxPayments).map(({ payment }) => payment),
    /** Why the sync with Stripe fails, in sentences for the owner. */
    trouble: alert ?? null,
  };
}

/** A day of the chart, with the part of it that lies in the window: from `startDate` to `asOf`. */
export const listedDay = (
  { date, isWhole, from, to }: LocalDay,
  { pageViews, ctaClicks, conversions, revenue }: Totals,
  currency: string,
) => ({
  ...{ date, isWhole, pageViews, ctaClicks, conversions },
  startDate: new Date(from).toISOString(),
  asOf: new Date(to).toISOString(),
  revenue: wholeUnits(revenue, currency),
});

/** Maximum sources listed. The others are merged into one line, which bounds the response. */
const maxSources = 30;

/** Lists sources by revenue, then sales, page views and name. */
export function listedSources(sources: readonly SourceTotals[], currency: string) {
  const ordered = [...sources].sort(
    (a, b) =>
      b.revenue - a.revenue ||
      b.conversions - a.conversions ||
      b.pageViews - a.pageViews ||
      ((a.source ?? '') < (b.source ?? '') ? -1 : 1),
  );
  const rest = ordered.slice(maxSources);
  const lines = ordered
    .slice(0, maxSources)
    .map((one) => lineOf([one], { name: one.source, currency }));
  return rest.length === 0
    ? lines
    : [...lines, lineOf(rest, { name: null, merged: rest.length, currency })];
}

/** @param merged number of sources in this line, which then has no name */
function lineOf(
  sources: readonly SourceTotals[],
  { name, merged, currency }: { name: string | null; merged?: number; currency: string },
) {
  const sum = (of: 'pageViews' | 'ctaClicks' | 'callsBooked' | 'conversions' | 'revenue') =>
    sources.reduce((total, source) => total + source[of], 0);
  return {
    ...(name !== null && { source: name }),
    ...(merged !== undefined && { merged }),
    pageViews: sum('pageViews'),
    ctaClicks: sum('ctaClicks'),
    callsBooked: sum('callsBooked'),
    conversions: sum('conversions'),
    /** Net of refunds, in whole units of the owner's currency. */
    revenue: wholeUnits(sum('revenue'), currency),
  };
}

/** The window from `startDate` (default: thirty days before `to`) to `to`. */
export function windowSince(startDate: string | undefined, to: number): TimeWindow {
  const from = startDate === undefined ? to - 30 * 24 * 60 * 60_000 : Date.parse(startDate);
  return { from, to };
}
