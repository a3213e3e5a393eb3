/** Types of the Bookings screen, and its local dates. */
import type { Outputs } from '../../server/contract/api.ts';

export type Bookings = Outputs['booking']['list'];
export type Booking = Bookings['bookings'][number];
export type Blocked = Bookings['blocked'][number];
export type Day = Bookings['week'][number];

export const states = ['upcoming', 'past', 'cancelled'] as const;
export type State = (typeof states)[number];

/** `2026-11-25`, the local date of a time. */
export const dateOf = (time: string, timeZone: string): string =>
  new Date(time).toLocaleDateString('sv-SE', { timeZone });

/** A local date in words, such as `Wednesday` or `November 25`. */
export const localDateInWords = (date: string, format: Intl.DateTimeFormatOptions): string =>
  new Date(date).toLocaleDateString('en-US', { timeZone: 'UTC', ...format });

/** What the owner should know at a glance; undefined when there is nothing. */
export function problemOf({ delivery }: Booking): string | undefined {
  return delivery?.state === 'refused' ? 'Email not delivered' : undefined;
}

/** One row of the list: a call, or a time at which the owner takes none. */
export type Entry = Booking | Blocked;

/** The rows by local date, in the order of the list. */
export function byDate(entries: Entry[], timeZone: string): [date: string, Entry[]][] {
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const date = dateOf(entry.start, timeZone);
    days.set(date, [...(days.get(date) ?? []), entry]);
  }
  return [...days];
}

/** Upcoming calls with the blocked times between them. */
export const withBlocked = (bookings: Booking[], blocked: Blocked[]): Entry[] =>
  [...bookings, ...blocked].sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
