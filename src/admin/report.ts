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
export interface Report
  extends Omit<Dashboard, 'startDate' | 'asOf' | 'summary' | 'conversions' | 'stripe'> {
  days: Period;
  filter: Filter;
  /** Start of the period, as an ISO timestamp. */
  startDate: string;
  /** When the response arrived, by the browser's clock, in ms since 1970. */
  receivedAt: number;
  figures: Figures;
  /** The window the server counted; undefined when either end is missing. */
  timeWindow: TimeWindow | undefined;
  /** The conversions to list, newest first. */
  recent: Conversion[];
  stripe: StripeReconciliation | null;
}

/** What a report has beside its figures, of a site where nothing has happened. */
export const emptyReport = {
  currency: 'USD',
  otherCurrencies: [],
  otherSales: [],
  cash: [],
  doubts: [],
  calls: { cancelled: 0, soon: 0, timeZone: 'UTC', next: [] },
  unread: 0,
  alert: null,
  isDemo: false,
  stripe: null,
} satisfies Partial<Report>;

/** A response as received: any field can be missing or null. */
export type Received<T> = { [K in keyof T]?: T[K] | null } | null | undefined;

/** A response with `defaults` for what is missing, as in that of a server of another version. */
export const withDefaults = <T extends object>(defaults: T, received: Received<T>): T => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(received ?? {}).filter(([, value]) => value !== null)),
});
