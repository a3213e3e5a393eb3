import type { Services } from '../trpc/context.ts';
import type { LocalDay } from './local-days.ts';
import type { Conversion, SourceTotals, TimeWindow, Totals } from './store.ts';

/** The figures of the dashboard's cards. */
export interface Summary {
  pageViews: number;
  ctaClicks: number;
  checkoutOpens: number;
  /** Calls that were booked in a calendar on the page. */
  callsBooked: number;
  conversions: number;
  /** US dollars, without what was given back: of the sales of the period, whenever it was. */
  totalRevenue: number;
  /** US dollars that were given back of the sales of the period. */
  refundedRevenue: number;
  /** US dollars of `totalRevenue` that open disputes may still take. */
  disputedRevenue: number;
  /** Percent of page views that became sales, unrounded; 0 while there are no views. */
  conversionRate: number;
  /** Percent of page views with a click on a call-to-action, unrounded. */
  ctaConversionRate: number;
}

export function summaryOf({ revenue, refunded, disputed, ...counts }: Totals): Summary {
  const percentOfViews = (n: number) => (counts.pageViews === 0 ? 0 : (100 * n) / counts.pageViews);
  return {
    ...counts,
    totalRevenue: revenue / 100,
    refundedRevenue: refunded / 100,
    disputedRevenue: disputed / 100,
    conversionRate: percentOfViews(counts.conversions),
    ctaConversionRate: percentOfViews(counts.ctaClicks),
  };
}

/** A sale as the dashboard lists it; what is not known is left out. */
export function listed(sale: Conversion) {
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

/** How many payments that differ are named. */
const namedPayments = 3;

/** What Stripe says beside what is counted here; null when it is not connected. */
export function saidBy(stripe: Awaited<ReturnType<Services['stripe']>>) {
  if (!stripe) return null;
  const { lastEventAt, found, trouble } = stripe;
  return {
    /** When both were compared; null, as the figures, while they were not. */
    checkedAt: found ? new Date(found.at).toISOString() : null,
    lastEventAt: lastEventAt === undefined ? null : new Date(lastEventAt).toISOString(),
    /** US dollars of thirty days, without what was given back. */
    net: found ? found.stripe.net / 100 : null,
    ourNet: found ? found.ours.net / 100 : null,
    /** How many payments differ, and the first of them by Stripe's id. */
    differing: found?.differ ?? 0,
    payments: (found?.differing ?? []).slice(0, namedPayments).map(({ payment }) => payment),
    /** What keeps both from knowing of each other, in sentences for the owner. */
    trouble: trouble ?? null,
  };
}

/** A day of the series, by the calendar of the reader's zone. */
export const listedDay = (
  { date, isWhole }: LocalDay,
  { pageViews, ctaClicks, conversions, revenue }: Totals,
) => ({ date, isWhole, pageViews, ctaClicks, conversions, revenue: revenue / 100 });

/** How many sources are told apart; what is left is one more line, so that the answer stays small. */
const shownSources = 30;

/** Sources with what came of them, the most earning first, then the most visited, then by name. */
export function listedSources(sources: readonly SourceTotals[]) {
  const ordered = [...sources].sort(
    (a, b) =>
      b.revenue - a.revenue ||
      b.conversions - a.conversions ||
      b.pageViews - a.pageViews ||
      ((a.source ?? '') < (b.source ?? '') ? -1 : 1),
  );
  const rest = ordered.slice(shownSources);
  const lines = ordered.slice(0, shownSources).map((one) => lineOf([one], { name: one.source }));
  return rest.length === 0 ? lines : [...lines, lineOf(rest, { name: null, merged: rest.length })];
}

/** @param merged so many sources are in this line, which has no name then */
function lineOf(
  sources: readonly SourceTotals[],
  { name, merged }: { name: string | null; merged?: number },
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
    /** US dollars, without what was given back. */
    revenue: sum('revenue') / 100,
  };
}

/** The window that ends at `to` and starts at `startDate`, or thirty days before. */
export function windowSince(startDate: string | undefined, to: number): TimeWindow {
  const from = startDate === undefined ? to - 30 * 24 * 60 * 60_000 : Date.parse(startDate);
  return { from, to };
}
