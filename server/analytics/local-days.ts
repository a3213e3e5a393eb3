/** Days as people live them: from midnight to midnight on the clocks of their zone. */
import type { TimeWindow } from './store.ts';

export interface LocalDay extends TimeWindow {
  /** Its date on those clocks: `2026-11-01`. */
  date: string;
  /** The window holds all of it; its first and its last day mostly are parts. */
  isWhole: boolean;
}

const minute = 60_000;
const hour = 60 * minute;

/** Whether `timeZone` is the name of a zone, such as `America/New_York`. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(clockOf(timeZone));
  } catch {
    return false;
  }
}

/**
 * Cuts a window at the midnights of a zone. A day on which the clocks are set has 23 or 25 hours, and
 * begins at one o'clock where they are set at midnight: a day is whatever bears its date.
 */
export function localDays({ from, to }: TimeWindow, timeZone: string): LocalDay[] {
  const days: LocalDay[] = [];
  if (to <= from) return days;
  const dateAt = clockOf(timeZone);
  let date = dateAt(from);
  let start = startOf(date, dateAt);
  while (start < to) {
    const next = following(date);
    const end = startOf(next, dateAt);
    // A zone that moves over the date line leaves out a day, which has no length.
    if (end > start) {
      const [cutFrom, cutTo] = [Math.max(start, from), Math.min(end, to)];
      days.push({ date, from: cutFrom, to: cutTo, isWhole: cutFrom === start && cutTo === end });
    }
    [date, start] = [next, end];
  }
  return days;
}

/** The first moment that bears this date, or a later one. */
function startOf(date: string, dateAt: (at: number) => string): number {
  const noon = Date.parse(`${date}T12:00:00Z`);
  // No clock is further from UTC than fourteen hours.
  let [before, after] = [noon - 27 * hour, noon + 3 * hour];
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / 2 / minute) * minute;
    if (dateAt(middle) < date) before = middle;
    else after = middle;
  }
  return after;
}

const following = (date: string) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 24 * hour).toISOString().slice(0, 10);

const clocks = new Map<string, (at: number) => string>();

/** Tells the date at a moment, as `2026-11-01`. Throws a RangeError for a zone that is none. */
function clockOf(timeZone: string): (at: number) => string {
  const known = clocks.get(timeZone);
  if (known) return known;
  // Newer engines take offsets for zones: those are no places.
  if (!/^[a-z]/i.test(timeZone)) throw new RangeError('A zone has a name.');
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-CA', options);
  const clock = (at: number) => format.format(at);
  // By its proper name: written in any case, there would be no end of them.
  clocks.set(format.resolvedOptions().timeZone, clock);
  return clock;
}
