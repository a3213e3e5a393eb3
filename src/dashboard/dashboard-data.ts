import type { Outputs } from '../../server/contract/api.ts';
import type { TimeWindow } from './use-rows.ts';

type Dashboard = Outputs['analytics']['dashboard'];

export type Figures = Dashboard['summary'];
export type Conversion = Dashboard['conversions'][number];
export type CurrencySum = Dashboard['otherCurrencies'][number];
export type StripeReconciliation = Partial<NonNullable<Dashboard['stripe']>>;

/** The dashboard response as received: any field can be missing. */
export interface DashboardData {
  summary?: Partial<Figures> | null;
  conversions?: Partial<Conversion>[] | null;
  otherCurrencies?: CurrencySum[] | null;
  trouble?: string | null;
  stripe?: StripeReconciliation | null;
  startDate?: string | null;
  asOf?: string | null;
}

/** Number of conversions listed. */
const shownConversions = 10;

/** All figures of a response; missing ones are 0. */
export function figuresOf(response: DashboardData | null | undefined): Figures {
  const { summary } = response ?? {};
  return {
    pageViews: summary?.pageViews ?? 0,
    ctaClicks: summary?.ctaClicks ?? 0,
    checkoutOpens: summary?.checkoutOpens ?? 0,
    callsBooked: summary?.callsBooked ?? 0,
    conversions: summary?.conversions ?? 0,
    totalRevenue: summary?.totalRevenue ?? 0,
    refundedRevenue: summary?.refundedRevenue ?? 0,
    disputedRevenue: summary?.disputedRevenue ?? 0,
    conversionRate: summary?.conversionRate ?? 0,
    ctaConversionRate: summary?.ctaConversionRate ?? 0,
  };
}

/** The conversions to list, newest first. */
export function recentOf(response: DashboardData | null | undefined): Partial<Conversion>[] {
  return (response?.conversions ?? []).slice(0, shownConversions);
}

/** The time window of a response; undefined when either end is missing. */
export function timeWindowOf(response: DashboardData | null | undefined): TimeWindow | undefined {
  const { startDate, asOf } = response ?? {};
  return startDate && asOf ? { startDate, asOf } : undefined;
}
