import type { Buffer } from 'node:buffer';
import type { Control } from '../contract/controls.ts';

/** Visitor activities that are counted. */
export const activities = ['page_view', 'cta_click', 'checkout_open', 'call_booked'] as const;
export type Activity = (typeof activities)[number];

/** An activity of a visitor; counted once per visitor, kind and UTC day. */
export interface ActivityEvent {
  activity: Activity;
  /** The call-to-action that was clicked. */
  control: Control | null;
  /** Name of the traffic source (see `server/attribution`); null for direct visits. */
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
  control: string | null;
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
}

/** An event with its position in a list. */
export interface ListedEvent extends ImportedEvent, PagePosition {}

/** A sale computed from a payment, whose id is stored separately. */
export type SettledSale = Omit<Conversion, 'id'>;

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
   * Revenue of the window's sales net of refunds at any later time, in US cents, as the two below.
   * Sales in other currencies are counted, not converted.
   */
  revenue: number;
  /** Refunds of the window's sales. */
  refunded: number;
  /** Amount of the window's sales in open disputes. */
  disputed: number;
}

/** Totals of one traffic source. */
export interface SourceTotals extends Totals {
  /** Name of the source; null for direct visits. */
  source: string | null;
}

/**
 * Why a request was excluded: a bot's user agent, an automated browser, a prefetch, a foreign origin, the
 * rate limit or visitor cap, a privacy signal, the signed-in owner, or a storage outage.
 */
export type ExclusionReason =
  | 'bot'
  | 'automated'
  | 'prefetch'
  | 'foreign'
  | 'rate'
  | 'privacy'
  | 'owner'
  | 'outage';

/** Number of requests excluded for one reason in the hour of `at` (milliseconds since 1970, UTC). */
export interface ExcludedCount {
  reason: ExclusionReason;
  at: number;
  n: number;
}

/** Sales in one currency. */
export interface CurrencySum {
  /** ISO 4217, upper case. */
  currency: string;
  /** Sales not fully refunded. */
  conversions: number;
  /** Revenue net of refunds, in the currency's smallest unit. */
  revenue: number;
}

/** A count and its amount in US cents. */
export interface Sum {
  n: number;
  cents: number;
}

/** A counter that differs from the sum of its rows. */
export interface Difference {
  /** What is counted: an activity, `sale`, `refund` or `dispute`. */
  what: string;
  /** Name of the source, `direct` for direct visits; undefined for all sources together. */
  source: string | undefined;
  /** Start of its bucket, milliseconds since 1970, UTC. */
  from: number;
  /** Length of its bucket in milliseconds: a minute, an hour or a day. */
  width: number;
  counter: Sum;
  rows: Sum;
}

export interface CounterCheck {
  /** Number of counters compared. */
  checked: number;
  /** Oldest first. */
  differences: Difference[];
}

export interface AnalyticsStore {
  /** Whether there are no events and no sales. */
  isEmpty(): Promise<boolean>;
  /** The salt of a UTC day (its number since 1970); stores and returns `fresh` when there is none. */
  salt(day: number, fresh: Buffer): Promise<Buffer>;
  /**
   * Counts an event unless it was counted that day. Other events count a missing page view too, so on a
   * whole UTC day clicks never exceed views. Returns whether the visitor is new that day.
   */
  addEvent(event: ActivityEvent): Promise<boolean>;
  /** Whether a visitor was counted on the UTC day of `at` (milliseconds since 1970). */
  isCounted(visitor: string, at: number): Promise<boolean>;
  /**
   * Adds past events without deduplication. Their sources come from the owner, so their number is not
   * limited.
   */
  importEvents(events: readonly ImportedEvent[]): Promise<void>;
  /**
   * Stores a sale. Idempotent by id: an existing sale changes only when its refunded amount grows.
   */
  addConversion(conversion: Conversion): Promise<'new' | 'refund' | 'known'>;
  /** Totals of a window, exact to the millisecond; the cost does not grow with the number of events. */
  totals(window: TimeWindow): Promise<Totals>;
  /** Totals of several windows, in the same order. */
  totalsOfEach(windows: readonly TimeWindow[]): Promise<Totals[]>;
  /** Totals of each source with any counts; exact, and they add up to `totals`. */
  sources(window: TimeWindow): Promise<SourceTotals[]>;
  /** `sources` recounted from the rows; slow, for verification. */
  recountSources(window: TimeWindow): Promise<SourceTotals[]>;
  /** `totals` recounted from the rows; slow, for verification. */
  recount(window: TimeWindow): Promise<Totals>;
  /**
   * Deletes the events of UTC days before `day` (its number since 1970), except the 200 days before the
   * newest event; returns the number deleted. Counters stay: a window that starts in pruned days excludes
   * its first partial minute, and for single sources its first partial hour.
   */
  prune(day: number): Promise<number>;
  /**
   * Recounts all rows and compares them with each counter. Correct during concurrent writes; memory grows
   * with the differences, not with the rows. Counters of pruned events are skipped.
   */
  compareCounters(): Promise<CounterCheck>;
  /** The sales of a window, newest first, fully refunded ones included. */
  conversions(window: TimeWindow, options: PageOptions): Promise<Conversion[]>;
  /** The events of an activity in a window, newest first. */
  events(activity: Activity, window: TimeWindow, options: PageOptions): Promise<ListedEvent[]>;
  /** Sales in currencies other than US dollars, by currency. */
  otherCurrencies(window: TimeWindow): Promise<CurrencySum[]>;
  /** Start of the minute of the first counted page view; undefined when there is none. */
  firstView(): Promise<number | undefined>;
  /** Time of the last counted page view up to `now`; undefined when there is none. */
  lastView(now: number): Promise<number | undefined>;
  /** Adds excluded counts by hour and reason; no visitor data is stored. */
  addExcludedCounts(counts: readonly ExcludedCount[]): Promise<void>;
  /** Excluded counts by reason in the hours that overlap the window. */
  excludedCounts(window: TimeWindow): Promise<Partial<Record<ExclusionReason, number>>>;
  /** The key that signs attribution tokens; stores and returns `fresh` when there is none. */
  attributionKey(fresh: Buffer): Promise<Buffer>;
  /** Streams the sales of a window (default: all), oldest first, in constant memory. */
  allConversions(window?: TimeWindow): AsyncIterable<Conversion>;
  /** Streams the events of a window (default: all), oldest first, in constant memory. */
  allEvents(window?: TimeWindow): AsyncIterable<ImportedEvent>;
  /** Deletes visitor keys and salts of days before `day`. Counts stay. */
  deleteVisitorKeys(day: number): Promise<void>;
  /** The sales to this email address, oldest first. */
  salesTo(email: string): Promise<Conversion[]>;
  /**
   * Deletes this email address from reported and imported sales; returns their number. Sales and totals
   * stay. Sales computed from Stripe events are erased by the payment store.
   */
  eraseBuyer(email: string): Promise<number>;
  /**
   * Replaces sources with an email address, which earlier versions stored, by `email`, in short
   * transactions. Idempotent; totals stay.
   */
  cleanSources(): Promise<void>;
  /** Deletes the buyers' email addresses from reported sales before `before` (ms since 1970, UTC). */
  eraseBuyersBefore(before: number): Promise<number>;
}
