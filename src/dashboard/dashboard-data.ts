import type { Outputs } from '../../server/contract/api.ts';
import type { TimeWindow } from './use-rows.ts';

type Dashboard = Outputs['analytics']['dashboard'];

export type Figures = Dashboard['summary'];
export type Conversion = Dashboard['conversions'][number];
export type CurrencySum = Dashboard['otherCurrencies'][number];
export type SaidByStripe = Partial<NonNullable<Dashboard['stripe']>>;

/** The answer as the wire may bring it: any part can be missing. */
export interface DashboardData {
  summary?: Partial<Figures> | null;
  conversions?: Partial<Conversion>[] | null;
  otherCurrencies?: CurrencySum[] | null;
  trouble?: string | null;
  stripe?: SaidByStripe | null;
  startDate?: string | null;
  asOf?: string | null;
}

/** How many conversions are shown. */
const shownConversions = 10;

/** Every figure, 0 where the answer has none. */
export function figuresOf(answer: DashboardData | null | undefined): Figures {
  const { summary } = answer ?? {};
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

/** The conversions to show, newest first. */
export function recentOf(answer: DashboardData | null | undefined): Partial<Conversion>[] {
  return (answer?.conversions ?? []).slice(0, shownConversions);
}

/** From when until when it is, where it says so. */
export function spanOf(answer: DashboardData | null | undefined): TimeWindow | undefined {
  const { startDate, asOf } = answer ?? {};
  return startDate && asOf ? { startDate, asOf } : undefined;
}
