import type { Conversion, Totals, Window } from './store.ts';

/** The figures of the dashboard's cards. */
export interface Summary {
  pageViews: number;
  ctaClicks: number;
  checkoutOpens: number;
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
  const { id, at, amount, refunded, disputed, currency, email, source } = sale;
  return {
    id,
    timestamp: new Date(at).toISOString(),
    conversionValue: amount,
    currency,
    ...(refunded > 0 && { refunded }),
    ...(disputed > 0 && { disputed }),
    ...(email !== null && { email }),
    ...(source !== null && { source }),
  };
}

/** The window that ends now and starts at `startDate`, or thirty days ago. */
export function windowSince(startDate: string | undefined, now: number): Window {
  const from = startDate === undefined ? now - 30 * 24 * 60 * 60_000 : Date.parse(startDate);
  return { from, to: now };
}
