import type { Buffer } from 'node:buffer';
import type { Control } from '../contract/controls.ts';

/** What a visitor can be seen to do. */
export const activities = ['page_view', 'cta_click', 'checkout_open', 'call_booked'] as const;
export type Activity = (typeof activities)[number];

/** One thing one visitor did, to be counted once a UTC day. */
export interface ActivityEvent {
  activity: Activity;
  /** Which call-to-action it was. */
  control: Control | null;
  /** Where the visitor came from, by its name (`server/attribution`); null: nobody sent them. */
  source: string | null;
  /** The visitor, known for this day only (see `visitors.ts`): 32 lower-case hex digits. */
  visitor: string;
  /** Milliseconds since 1970, UTC. */
  at: number;
}

/** What somebody did who will not be seen again, so that nothing is known of them but the moment. */
export type ImportedEvent = Omit<ActivityEvent, 'visitor'>;

/** A sale. */
export interface Conversion {
  /** The checkout's own id: the same id twice is the same sale. */
  id: string;
  /** When it was paid, milliseconds since 1970, UTC. */
  at: number;
  /** What was paid, in the currency's smallest unit: cents. */
  amount: number;
  /** How much of it was given back, by refunds and by disputes that were lost. Never more than it. */
  refunded: number;
  /** How much of it an open dispute may still take. */
  disputed: number;
  /** ISO 4217, upper case. */
  currency: string;
  email: string | null;
  /** The last source before the sale, as the checkout told it; null: nobody sent the buyer. */
  source: string | null;
  /** How the buyer first came, and the call-to-action that led to the checkout, where that is known. */
  firstSource: string | null;
  control: string | null;
}

/** Where a list of rows, newest first, has come to: the last row that was read. */
export interface PagePosition {
  /** Its time, milliseconds since 1970, UTC. */
  at: number;
  /** Tells it from the other rows of its moment: a sale's id, a mark's number in digits. */
  key: string;
}

/** A page of rows: so many, after this place or from the newest one. */
export interface PageOptions {
  limit: number;
  after?: PagePosition | undefined;
}

/** A mark as a list has it, with what makes its place. */
export interface ListedEvent extends ImportedEvent, PagePosition {}

/** A sale as its payment makes it, which has an id of its own. */
export type SettledSale = Omit<Conversion, 'id'>;

/** Half-open: `from` counts, `to` does not. Milliseconds since 1970, UTC. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** What happened in a window. */
export interface Totals {
  pageViews: number;
  ctaClicks: number;
  checkoutOpens: number;
  /** Calls that were booked in a calendar on the page. */
  callsBooked: number;
  /** Sales of which anything is left: one that was given back whole is none. */
  conversions: number;
  /**
   * What is left of the sales of the window, whenever it was given back. Cents of US dollars, as the
   * two below; sales in other currencies are counted, not converted.
   */
  revenue: number;
  /** What was given back of the sales of the window. */
  refunded: number;
  /** What open disputes may still take of them. */
  disputed: number;
}

/** What came of the visitors of one source. */
export interface SourceTotals extends Totals {
  /** Its name; null: nobody sent them. */
  source: string | null;
}

/**
 * Why something was not counted: its sender says that it is a bot, is driven by a program, fetches
 * ahead, is another site, comes too often or from a network that has had its visitors for the day, asks
 * for privacy, or is the owner; or nothing could be kept.
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

/** So many things that were not counted in the hour of `at` (milliseconds since 1970, UTC). */
export interface ExcludedCount {
  reason: ExclusionReason;
  at: number;
  n: number;
}

/** What was sold in one currency. */
export interface CurrencySum {
  /** ISO 4217, upper case. */
  currency: string;
  /** Sales of which anything is left. */
  conversions: number;
  /** What is left of them, in the currency's smallest unit. */
  revenue: number;
}

/** How often, and for how much (cents of US dollars). */
export interface Sum {
  n: number;
  cents: number;
}

/** A counter that says something else than the rows it counts. */
export interface Difference {
  /** What is counted: an activity, `sale`, `refund` or `dispute`. */
  what: string;
  /** The source it counts, `direct` for none; undefined: all of them together. */
  source: string | undefined;
  /** Start of the time it counts, milliseconds since 1970, UTC. */
  from: number;
  /** Length of that time in milliseconds: a minute, an hour or a day. */
  width: number;
  counter: Sum;
  rows: Sum;
}

export interface CounterCheck {
  /** Number of counters that were compared. */
  checked: number;
  /** Oldest first. */
  differences: Difference[];
}

export interface AnalyticsStore {
  /** Whether nothing ever happened: no activity, no sale. */
  isEmpty(): Promise<boolean>;
  /** The secret of a UTC day (its number since 1970): `fresh` unless the day has one already. */
  salt(day: number, fresh: Buffer): Promise<Buffer>;
  /**
   * Counts what a visitor did, unless it was counted that day. A click or an opened checkout counts
   * its page view too, should that have been missed: on a whole UTC day clicks never exceed views.
   * Returns whether the visitor is new that day.
   */
  addEvent(mark: ActivityEvent): Promise<boolean>;
  /** Whether a visitor was counted on the UTC day of `at` (milliseconds since 1970). */
  isCounted(visitor: string, at: number): Promise<boolean>;
  /**
   * Adds things that happened in the past, each as it is: nobody is asked whether it was counted, and
   * their sources are the owner's word, of which there may be any number.
   */
  importEvents(marks: readonly ImportedEvent[]): Promise<void>;
  /**
   * Keeps a sale. One of that id that is kept already stays as it is, but for more having been given
   * back of it: that counts.
   */
  addConversion(conversion: Conversion): Promise<'new' | 'refund' | 'known'>;
  /** Exact to the millisecond, at a cost that does not grow with the number of events. */
  totals(window: TimeWindow): Promise<Totals>;
  /** The figures of several windows, in their order. */
  totalsOfEach(windows: readonly TimeWindow[]): Promise<Totals[]>;
  /** The figures of each source that has any, exact as `totals` and adding up to it. */
  sources(window: TimeWindow): Promise<SourceTotals[]>;
  /** The same counted one by one from the rows: slow, for checking. */
  recountSources(window: TimeWindow): Promise<SourceTotals[]>;
  /** The same figures counted one by one from the rows: slow, for checking. */
  recount(window: TimeWindow): Promise<Totals>;
  /**
   * Deletes the marks of the UTC days before `day` (its number since 1970) and returns how many there
   * were. None of the last 200 days before the newest mark, whatever the clock says. Their counts stay, to the minute: of a window that begins in those days the first part of a
   * minute is left out, and for a single source that of an hour.
   */
  prune(day: number): Promise<number>;
  /**
   * Recounts everything from the rows and compares it with each counter. Right while others write,
   * in memory that grows with the counters that differ, not with the rows. Counters of marks that were
   * pruned are left out.
   */
  compareCounters(): Promise<CounterCheck>;
  /** The newest sales of a window first, whether anything is left of them or not. */
  conversions(window: TimeWindow, options: PageOptions): Promise<Conversion[]>;
  /** What was counted of an activity in a window, the newest first. */
  marks(activity: Activity, window: TimeWindow, options: PageOptions): Promise<ListedEvent[]>;
  /** What was sold in other currencies than US dollars, by currency. */
  otherCurrencies(window: TimeWindow): Promise<CurrencySum[]>;
  /** Start of the minute in which the first visitor came who is counted; undefined: nobody did. */
  firstView(): Promise<number | undefined>;
  /** When the last visitor came who is counted, not after `now`; undefined while there is none. */
  lastView(now: number): Promise<number | undefined>;
  /** Adds up what was not counted, by the hour: bare numbers, of nobody. */
  addUncounted(counts: readonly ExcludedCount[]): Promise<void>;
  /** What was not counted in the hours that the window touches. */
  uncounted(window: TimeWindow): Promise<Partial<Record<ExclusionReason, number>>>;
  /** The key that signs where a buyer came from: `fresh` unless there is one already. */
  attributionKey(fresh: Buffer): Promise<Buffer>;
  /** Every sale of a window, or every one, the oldest first, in memory that does not grow. */
  allConversions(window?: TimeWindow): AsyncIterable<Conversion>;
  /** The same of everything that visitors did. */
  allMarks(window?: TimeWindow): AsyncIterable<ImportedEvent>;
  /** Deletes what could tell visitors of days before `day` apart. Counts stay. */
  forgetVisitors(day: number): Promise<void>;
  /** The sales to this person, the oldest first. */
  salesTo(email: string): Promise<Conversion[]>;
  /**
   * Takes the e-mail address of this person off the sales that were reported or imported. The sales
   * stay, and so does every figure. Returns how many there were. Those that the payment provider told
   * of follow from what it said: they are left to the inbox of payments.
   */
  eraseBuyer(email: string): Promise<number>;
  /**
   * Replaces sources that name a person, as earlier versions stored them, by `email` or `phone`, in many
   * short transactions. Every total stays, and a second call changes nothing.
   */
  cleanSources(): Promise<void>;
  /** The same with every buyer of a sale before `before`, milliseconds since 1970, UTC. */
  deleteBuyers(before: number): Promise<number>;
}
