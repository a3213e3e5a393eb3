/** The dashboard's data, as its panels and the insights read it. */
import type { Outputs } from '../../server/contract/api.ts';

type Dashboard = Outputs['analytics']['dashboard'];

export type Figures = Dashboard['summary'];
/** A sale as received: any field can be missing. */
export type Conversion = Partial<Dashboard['conversions'][number]>;
export type StripeReconciliation = Partial<NonNullable<Dashboard['stripe']>>;

/** The periods to choose from, in days. */
export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];

/** Restricts the figures to a source (`direct`: direct visits), a call-to-action, or both. */
export interface Filter {
  source?: string | undefined;
  button?: string | undefined;
}

/** The window the server counted, as ISO timestamps. */
export interface TimeWindow {
  startDate: string;
  asOf: string;
}

/** One dashboard response with its period. */
export interface Report {
  days: Period;
  filter: Filter;
  /** Start of the period, as an ISO timestamp. */
  startDate: string;
  /** When the response arrived, by the browser's clock, in ms since 1970. */
  receivedAt: number;
  figures: Figures;
  /** The owner's currency, that of all revenue figures: ISO 4217, upper case. */
  currency: string;
  /** The window the server counted; undefined when either end is missing. */
  timeWindow: TimeWindow | undefined;
  /** The conversions to list, newest first. */
  recent: Conversion[];
  /** Sales in other currencies than the owner's. */
  otherCurrencies: Dashboard['otherCurrencies'];
  /** The money of the period by its own date, by currency. */
  cash: Dashboard['cash'];
  /** Pairs of sales that may be one. */
  doubts: Dashboard['doubts'];
  /** Sales of the same Stripe account that are not of the product. */
  otherSales: Dashboard['otherSales'];
  /** Calls booked in the calendar of this site. */
  calls: Dashboard['calls'];
  /** Number of unread messages in the inbox. */
  unread: number;
  /** The owner alert of the last nightly check. */
  alert: string | null;
  isDemo: boolean;
  /** The reconciliation with Stripe; null when Stripe is not connected. */
  stripe: StripeReconciliation | null;
}
