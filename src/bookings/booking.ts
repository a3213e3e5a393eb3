/** Types of the Bookings screen, and how it writes times. */
import type { Outputs } from '../../server/contract/api.ts';

export type Bookings = Outputs['booking']['list'];
export type Booking = Bookings['bookings'][number];
export type Blocked = Bookings['blocked'][number];
export type Day = Bookings['week'][number];

export const states = ['upcoming', 'past', 'cancelled'] as const;
export type State = (typeof states)[number];

const locale = 'en-US';

/** `2026-11-25`, the local date of a time. */
export const dateOf = (time: string, timeZone: string): string =>
  new Date(time).toLocaleDateString('sv-SE', { timeZone });

/** A local date in words, such as `Wednesday` or `November 25`. */
export const dateInWords = (date: string, format: Intl.DateTimeFormatOptions): string =>
  new Date(date).toLocaleDateString(locale, { timeZone: 'UTC', ...format });

/** `Wednesday, November 25` */
export const dayOf = (time: string, timeZone: string): string =>
  dateInWords(dateOf(time, timeZone), { weekday: 'long', month: 'long', day: 'numeric' });

/** `Nov 25, 2026, 10:30 AM` */
export const momentOf = (time: string, timeZone: string): string =>
  new Date(time).toLocaleString(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });

/** `10:30–11:00 AM` */
export const timesOf = ({ start, end }: Pick<Booking, 'start' | 'end'>, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' })
    .formatRange(new Date(start), new Date(end))
    .replace(/\s*–\s*/, '–')
    // A narrow space, which the rest of the texts do not have.
    .replaceAll('\u202f', ' ');

/** `London` */
export const placeOf = (timeZone: string): string =>
  timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;

/** `London (GMT)` */
export function zoneInWords(timeZone: string, at: Date): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortOffset' });
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  // Newer browsers write GMT+0.
  return `${placeOf(timeZone)} (${name?.replace('+0', '')})`;
}

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
