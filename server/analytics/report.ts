import { decimalsOf } from '../contract/money.ts';
import type { StripeReport } from '../sales/stripe/sync.ts';
import { dayMs } from '../time/units.ts';
import type { LocalDay } from './local-days.ts';
import type { ButtonTotals, SourceTotals, TimeWindow, Totals } from './model.ts';
import type { ListedButton, ListedDay, ListedSource, ListedStripe, Summary } from './outputs.ts';

/** Whole units of a currency, such as dollars, from its smallest unit. */
export const wholeUnits = (amount: number, currency: string) => amount / 10 ** decimalsOf(currency);

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

/** Maximum number of differing payments listed. */
const maxPayments = 3;

/** The comparison with Stripe in the dashboard's response; null when Stripe is not connected. */
export function listedStripe(
  stripe: StripeReport | undefined,
  currency: string,
): ListedStripe | null {
  if (!stripe) return null;
  const { lastEventAt, reconciliation, alert } = stripe;
  return {
    checkedAt: reconciliation ? new Date(reconciliation.at).toISOString() : null,
    lastEventAt: lastEventAt === undefined ? null : new Date(lastEventAt).toISOString(),
    net: reconciliation ? wholeUnits(reconciliation.stripe.net, currency) : null,
    ourNet: reconciliation ? wholeUnits(reconciliation.ours.net, currency) : null,
    differing: reconciliation?.differ ?? 0,
    payments: (reconciliation?.differing ?? []).slice(0, maxPayments).map(({ payment }) => payment),
    alert: alert ?? null,
  };
}

/** Lists a day of the chart. */
export const listedDay = (
  { date, isWhole, from, to }: LocalDay,
  { pageViews, ctaClicks, conversions, revenue }: Totals,
  currency: string,
): ListedDay => ({
  date,
  isWhole,
  pageViews,
  ctaClicks,
  conversions,
  startDate: new Date(from).toISOString(),
  asOf: new Date(to).toISOString(),
  revenue: wholeUnits(revenue, currency),
});

/** Maximum lines of a list. The others are merged into one line, which bounds the response. */
const maxLines = 30;

/** Lists sources, each with its campaigns, by revenue, then sales, page views and name. */
export const listedSources = (sources: readonly SourceTotals[], currency: string): ListedSource[] =>
  sourceLines(sources, currency).map(({ campaigns, ...line }) => ({
    ...line,
    campaigns:
      campaigns &&
      sourceLines(campaigns, currency).map(({ campaigns: _, ...campaign }) => campaign),
  }));

const sourceLines = (sources: readonly SourceTotals[], currency: string) =>
  linesOf(sources, ({ source }) => source ?? '').map(({ first, merged, totals }) => ({
    source: merged ? undefined : (first.source ?? undefined),
    merged,
    pageViews: totals.pageViews,
    ...figuresOf(totals, currency),
    campaigns: merged ? undefined : first.campaigns,
  }));

/** Lists buttons by revenue, then sales, calls, clicks and name. */
export const listedButtons = (buttons: readonly ButtonTotals[], currency: string): ListedButton[] =>
  linesOf(buttons, ({ button }) => button).map(({ first, merged, totals }) => ({
    button: merged ? undefined : first.button,
    merged,
    ...figuresOf(totals, currency),
  }));

interface Line<T> {
  first: T;
  /** Number of entries in this line; undefined for a single one. */
  merged?: number;
  totals: Pick<Totals, (typeof summed)[number]>;
}

const summed = ['pageViews', 'ctaClicks', 'callsBooked', 'conversions', 'revenue'] as const;

function linesOf<T extends Totals>(entries: readonly T[], nameOf: (entry: T) => string): Line<T>[] {
  const ordered = [...entries].sort(
    (a, b) =>
      b.revenue - a.revenue ||
      b.conversions - a.conversions ||
      b.callsBooked - a.callsBooked ||
      b.pageViews - a.pageViews ||
      b.ctaClicks - a.ctaClicks ||
      (nameOf(a) < nameOf(b) ? -1 : 1),
  );
  const lines: Line<T>[] = ordered.slice(0, maxLines).map((first) => ({ first, totals: first }));
  const rest = ordered.slice(maxLines);
  const [first] = rest;
  if (!first) return lines;
  const sums = summed.map((key) => [key, rest.reduce((sum, entry) => sum + entry[key], 0)]);
  return [...lines, { first, merged: rest.length, totals: Object.fromEntries(sums) }];
}

const figuresOf = (
  { ctaClicks, callsBooked, conversions, revenue }: Line<Totals>['totals'],
  currency: string,
) => ({
  ctaClicks,
  callsBooked,
  conversions,
  revenue: wholeUnits(revenue, currency),
});

/** The window from `startDate` (default: thirty days before `to`) to `to`. */
export function windowSince(startDate: string | undefined, to: number): TimeWindow {
  const from = startDate === undefined ? to - 30 * dayMs : Date.parse(startDate);
  return { from, to };
}
