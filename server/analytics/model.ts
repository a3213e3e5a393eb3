/** What visitors do, what they buy, and the figures of a period. */
import type { ButtonName } from '../contract/button-names.ts';
import type { Row } from '../database/schema.ts';

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
   * currency, as `refunded` and `disputed`. Sales in other currencies are counted, not converted.
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
