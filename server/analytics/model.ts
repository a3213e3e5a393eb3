/** What visitors do, what they buy, and the figures of a period. */
import type { z } from 'zod';
import type { ButtonName } from '../contract/button-names.ts';
import type { Row } from '../database/schema.ts';
import type { cashSum, currencySum } from './outputs.ts';

/** Visitor activities that are counted. */
export const activities = ['page_view', 'cta_click', 'checkout_open', 'call_booked'] as const;
export type Activity = (typeof activities)[number];

/** An activity of a visitor; counted once per visitor, kind and UTC day. */
export interface ActivityEvent {
  activity: Activity;
  /** The call-to-action that was clicked. */
  button: ButtonName | null;
  /** Path of the traffic source (see `server/attribution`); null for direct visits. */
  source: string | null;
  /** The visitor's key for one day (see `visitors.ts`): 32 lower-case hex digits. */
  visitor: string;
  /** Milliseconds since 1970, UTC. */
  at: number;
}

/** An event from an import, which has no visitor key. */
export type ImportedEvent = Omit<ActivityEvent, 'visitor'>;

/** A sale. */
export interface Conversion {
  /** The checkout's id. Idempotent: the same id is the same sale. */
  id: string;
  /** When it was paid, milliseconds since 1970, UTC. */
  at: number;
  /** Amount paid, in the currency's smallest unit (cents). */
  amount: number;
  /** Amount returned by refunds and lost disputes; at most `amount`. */
  refunded: number;
  /** Amount in open disputes. */
  disputed: number;
  /** ISO 4217, upper case. */
  currency: string;
  email: string | null;
  /** Last-touch source, as the checkout reported it; null for direct visits. */
  source: string | null;
  /** First-touch source and the call-to-action that led to the checkout; null when unknown. */
  firstSource: string | null;
  button: string | null;
}

/** Cursor of a list of rows, newest first: the last row read. */
export interface PagePosition {
  /** Its time, milliseconds since 1970, UTC. */
  at: number;
  /** Distinguishes rows of the same millisecond: a sale's id, or an event's serial number in digits. */
  key: string;
}

/** A page of at most `limit` rows, after a position or from the newest row. */
export interface PageOptions {
  limit: number;
  after?: PagePosition | undefined;
  filter?: Filter | undefined;
}

/** An event with its position in a list. */
export interface ListedEvent extends ImportedEvent, PagePosition {}

/** Money of a sale by its own date: what was refunded or lost in a dispute, or the tax that it contains. */
export interface SaleEntry {
  kind: 'refund' | 'dispute' | 'tax';
  /** Milliseconds since 1970, UTC. */
  at: number;
  /** In the sale's currency, in its smallest unit; negative when less was refunded than reported before. */
  amount: number;
}

/** A sale computed from all that is known of it. Its id is stored separately. */
export interface SettledSale extends Omit<Conversion, 'id'> {
  /**
   * Whether a payment at Stripe or a report of another checkout says what was sold. `other` sales are
   * stored, but not counted: of something else than the product, or counted under another id.
   */
  origin: Row<'conversion'>['origin'];
  /** Oldest first; none of `other` sales. Refunds and lost disputes add up to `refunded`. */
  entries: SaleEntry[];
}

/** Restricts figures to one source, one call-to-action, or both. */
export interface Filter {
  /** Path of a source, with its campaigns, or of a campaign; null: direct visits; undefined: all of them. */
  source?: string | null | undefined;
  /** Name of the call-to-action. Page views have none. */
  button?: string | undefined;
}

/** Half-open: `from` counts, `to` does not. Milliseconds since 1970, UTC. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** Totals of a window. */
export interface Totals {
  pageViews: number;
  ctaClicks: number;
  checkoutOpens: number;
  /** Calls booked in a calendar on the page. */
  callsBooked: number;
  /** Sales not fully refunded. */
  conversions: number;
  /**
   * Revenue of the window's sales net of refunds at any later time, in the smallest unit of the owner's
   * currency, as the two below. Sales in other currencies are counted, not converted.
   */
  revenue: number;
  /** Refunds of the window's sales. */
  refunded: number;
  /** Amount of the window's sales in open disputes. */
  disputed: number;
}

/** Totals of one traffic source, or of a campaign. */
export interface SourceTotals extends Totals {
  /** Path of the source; null for direct visits. */
  source: string | null;
  /** The part of these totals by campaign, where visits or sales named one. */
  campaigns?: SourceTotals[];
}

/** Totals of one call-to-action, without page views. */
export interface ButtonTotals extends Totals {
  /** Name of the call-to-action. */
  button: string;
}

/**
 * Why a request was excluded: a bot's user agent, an automated browser, a prefetch, a foreign origin, the
 * rate limit or visitor cap, a privacy signal, the signed-in owner, or a storage outage.
 */
export type ExclusionReason = Row<'excluded_count'>['reason'];

/** Number of requests excluded for one reason in the hour of `at` (milliseconds since 1970, UTC). */
export interface ExcludedCount {
  reason: ExclusionReason;
  at: number;
  n: number;
}

/** Sales in one currency. */
export type CurrencySum = z.output<typeof currencySum>;

/** Figures of a window and of others, from one snapshot. */
export interface Breakdown {
  /** The owner's currency, that of the totals and sources: ISO 4217, upper case. */
  currency: string;
  /** Of each window, in their order. */
  totals: Totals[];
  sources: SourceTotals[];
  buttons: ButtonTotals[];
  /** Sales in other currencies. */
  otherCurrencies: CurrencySum[];
}

/** The money of a window. All figures are of one snapshot. */
export interface PeriodMoney {
  /** The owner's currency, that of the totals: ISO 4217, upper case. */
  currency: string;
  totals: Totals;
  /** Sales in other currencies. */
  otherCurrencies: CurrencySum[];
  /** Sales that do not count: of something else, or counted under another id. */
  otherSales: CurrencySum[];
  /** By currency, the owner's first. */
  cash: CashSum[];
}

/** Money of a window by its own date, in one currency and its smallest unit. */
export type CashSum = z.output<typeof cashSum>;

/** Two sales with the same buyer, amount and minute: perhaps one, reported twice. Then the first one stays. */
export type Doubt = [Conversion, Conversion];

/** A counter that differs from the number of its events. */
export interface Difference {
  /** What is counted: an activity. */
  what: string;
  /** Path of the source, `direct` for direct visits; undefined for all sources together. */
  source: string | undefined;
  /** The call-to-action; undefined for all events. */
  button: string | undefined;
  /** Start of its hour, milliseconds since 1970, UTC. */
  hour: number;
  counter: number;
  rows: number;
}

export interface CounterCheck {
  /** Number of counters compared. */
  checked: number;
  differences: Difference[];
}
