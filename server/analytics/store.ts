import type { Buffer } from 'node:buffer';
import type { Control } from '../contract/controls.ts';

/** What a visitor can be seen to do. */
export const activities = ['page_view', 'cta_click', 'checkout_open'] as const;
export type Activity = (typeof activities)[number];

/** One thing one visitor did, to be counted once a UTC day. */
export interface Mark {
  activity: Activity;
  /** Which call-to-action it was. */
  control: Control | null;
  /** The visitor, known for this day only (see `visitors.ts`). */
  visitor: Buffer;
  /** Milliseconds since 1970, UTC. */
  at: number;
}

/** A sale. */
export interface Conversion {
  /** The checkout's own id: the same id twice is the same sale. */
  id: string;
  /** When it was paid, milliseconds since 1970, UTC. */
  at: number;
  /** In the currency's smallest unit: cents. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
  email: string | null;
  source: string | null;
}

/** Half-open: `from` counts, `to` does not. Milliseconds since 1970, UTC. */
export interface Window {
  from: number;
  to: number;
}

/** What happened in a window. */
export interface Totals {
  pageViews: number;
  ctaClicks: number;
  checkoutOpens: number;
  conversions: number;
  /** Cents of US dollars; sales in other currencies are counted, not converted. */
  revenue: number;
}

export interface AnalyticsStore {
  /** The secret of a UTC day (its number since 1970): `fresh` unless the day has one already. */
  salt(day: number, fresh: Buffer): Promise<Buffer>;
  /**
   * Counts what a visitor did, unless it was counted that day. A click or an opened checkout counts
   * its page view too, should that have been missed: clicks can never exceed views.
   */
  addMark(mark: Mark): Promise<void>;
  /** Keeps a sale; returns false when one of that id is kept already. */
  addConversion(conversion: Conversion): Promise<boolean>;
  /** Exact to the millisecond, at a cost that does not grow with the number of events. */
  totals(window: Window): Promise<Totals>;
  /** The same figures counted one by one from the rows: slow, for checking. */
  recount(window: Window): Promise<Totals>;
  /** The newest sales of a window first. */
  conversions(window: Window, options: { limit: number }): Promise<Conversion[]>;
  /** Deletes what could tell visitors of days before `day` apart. Counts stay. */
  forgetVisitors(day: number): Promise<void>;
}
