/**
 * The free start times of a call. The same function fills the booking page and checks each booking, so
 * that every offered time can be booked and no other.
 */
import { dateAfter, dateAt, timeOf, weekdayOf } from '../time/zone.ts';

/** A span of time, in ms since 1970; `to` is its end and not part of it. */
export interface Span {
  from: number;
  to: number;
}

/** A span in which the owner is busy. */
export interface BusySpan extends Span {
  /** Time that a call keeps free before and after this span, in ms. */
  gapMs?: number;
}

/** Working hours on a local day, in minutes after midnight by the clock: 1440 is its end. */
export interface WorkingHours {
  start: number;
  end: number;
}

/** When the owner takes calls. */
export interface Availability {
  timeZone: string;
  /** The hours of each weekday, from Sunday. */
  weekly: readonly (readonly WorkingHours[])[];
  /** The hours of single dates, which replace those of their weekday; none on a closed date. */
  dates: ReadonlyMap<string, readonly WorkingHours[]>;
}

/** One kind of call. */
export interface CallRules {
  lengthMs: number;
  /** From one start to the next. */
  stepMs: number;
  /** From now to the first start. */
  noticeMs: number;
  /** From now to the last start. */
  horizonMs: number;
  /** Time to keep free before and after the call. */
  gapMs: number;
}

/**
 * The free start times of a call, in ms since 1970, in ascending order; with `within`, those that are in
 * this span.
 */
export function slots(
  availability: Availability,
  { lengthMs, stepMs, noticeMs, horizonMs, gapMs }: CallRules,
  busy: readonly BusySpan[],
  now: number,
  within: Span = { from: -Infinity, to: Infinity },
): number[] {
  const { timeZone } = availability;
  const first = Math.max(now + noticeMs, within.from);
  const last = Math.min(now + horizonMs, within.to - 1);
  if (first > last) return [];
  const isFree = (start: number) =>
    busy.every(({ from, to, gapMs: other = 0 }) => {
      const gap = Math.max(gapMs, other);
      return start + lengthMs + gap <= from || to + gap <= start;
    });
  const starts = new Set<number>();
  const end = dateAfter(dateAt(last, timeZone));
  for (let date = dateAt(first, timeZone); date < end; date = dateAfter(date)) {
    for (const hours of hoursOn(availability, date)) {
      const to = timeOf(date, hours.end, timeZone);
      let start = timeOf(date, hours.start, timeZone);
      for (; start + lengthMs <= to; start += stepMs) {
        if (start >= first && start <= last && isFree(start)) starts.add(start);
      }
    }
  }
  return [...starts].sort((a, b) => a - b);
}

/** The working hours on a local date. */
export const hoursOn = (
  { weekly, dates }: Pick<Availability, 'weekly' | 'dates'>,
  date: string,
): readonly WorkingHours[] => dates.get(date) ?? weekly[weekdayOf(date)] ?? [];
