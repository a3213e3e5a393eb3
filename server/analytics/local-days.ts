/** Calendar days of a time zone, from local midnight to local midnight. */
import type { TimeWindow } from './store.ts';

export interface LocalDay extends TimeWindow {
  /** Local date: `2026-11-01`. */
  date: string;
  /** The window contains the whole day; its first and last day are usually partial. */
  isWhole: boolean;
}

const minute = 60_000;
const hour = 60 * minute;

/** Whether `timeZone` is an IANA name, such as `America/New_York`. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(dateFormatterOf(timeZone));
  } catch {
    return false;
  }
}

/**
 * Splits a window at the midnights of a zone. A day with a daylight-saving change has 23 or 25 hours, and
 * starts at one o'clock where clocks change at midnight.
 */
export function localDays({ from, to }: TimeWindow, timeZone: string): LocalDay[] {
  const days: LocalDay[] = [];
  if (to <= from) return days;
  const dateAt = dateFormatterOf(timeZone);
  let date = dateAt(from);
  let start = startOf(date, dateAt);
  while (start < to) {
    const next = dateAfter(date);
    const end = startOf(next, dateAt);
    // A zone that crosses the date line skips a day, which has no length.
    if (end > start) {
      const [cutFrom, cutTo] = [Math.max(start, from), Math.min(end, to)];
      days.push({ date, from: cutFrom, to: cutTo, isWhole: cutFrom === start && cutTo === end });
    }
    [date, start] = [next, end];
  }
  return days;
}

/** The first instant of this date, or of a later date when this one is skipped. */
function startOf(date: string, dateAt: (at: number) => string): number {
  const noon = Date.parse(`${date}T12:00:00Z`);
  // No zone is more than fourteen hours from UTC.
  let [before, after] = [noon - 27 * hour, noon + 3 * hour];
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / 2 / minute) * minute;
    if (dateAt(middle) < date) before = middle;
    else after = middle;
  }
  return after;
}

const dateAfter = (date: string) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 24 * hour).toISOString().slice(0, 10);

const formatters = new Map<string, (at: number) => string>();

/** Returns a function from time to local date (`2026-11-01`). Throws a RangeError for an unknown zone. */
function dateFormatterOf(timeZone: string): (at: number) => string {
  const cached = formatters.get(timeZone);
  if (cached) return cached;
  // Newer engines also accept UTC offsets, which are rejected here.
  if (!/^[a-z]/i.test(timeZone)) throw new RangeError('The time zone must be a name.');
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-CA', options);
  const dateAt = (at: number) => format.format(at);
  // Cached under the canonical name: names are case-insensitive, so other keys would be unbounded.
  formatters.set(format.resolvedOptions().timeZone, dateAt);
  return dateAt;
}
