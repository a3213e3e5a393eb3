import type { Conversion, Totals, Window } from './store.ts';

/** The figures of the dashboard's cards. */
export interface Summary {
  pageViews: number;
  ctaClicks: number;
  checkoutOpens: number;
  conversions: number;
  /** US dollars. */
  totalRevenue: number;
  /** Percent of page views that became sales, unrounded; 0 while there are no views. */
  conversionRate: number;
  /** Percent of page views with a click on a call-to-action, unrounded. */
  ctaConversionRate: number;
}

export function summaryOf({ revenue, ...counts }: Totals): Summary {
  const percentOfViews = (n: number) => (counts.pageViews === 0 ? 0 : (100 * n) / counts.pageViews);
  return {
    ...counts,
    totalRevenue: revenue / 100,
    conversionRate: percentOfViews(counts.conversions),
    ctaConversionRate: percentOfViews(counts.ctaClicks),
  };
}

/** A sale as the dashboard lists it; what is not known is left out. */
export function listed({ id, at, amount, currency, email, source }: Conversion) {
  return {
    id,
    timestamp: new Date(at).toISOString(),
    conversionValue: amount,
    currency,
    ...(email !== null && { email }),
    ...(source !== null && { source }),
  };
}

/** The window that ends now and starts at `startDate`, or thirty days ago. */
export function windowSince(startDate: string | undefined, now: number): Window {
  const from = startDate === undefined ? now - 30 * 24 * 60 * 60_000 : Date.parse(startDate);
  return { from, to: now };
}
