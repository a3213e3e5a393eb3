/** Local times of IANA time zones, by the time zone data of the JavaScript engine (`Intl`). */
import { dayMs } from './units.ts';

/** Whether `timeZone` is an IANA name, such as `America/New_York`. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(formatterOf(timeZone));
  } catch {
    return false;
  }
}

/** The local date, `2026-11-01`, at this time in ms since 1970. */
export const dateAt = (at: number, timeZone: string): string =>
  new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 10);

/** The date after this one, `2026-11-02` after `2026-11-01`, or so many days after it; negative: before. */
export const dateAfter = (date: string, days = 1): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The weekday of a date; 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00Z`).getUTCDay();

/**
 * The time, in ms since 1970, of a local date and `minutes` after its midnight by the clock: 1440 is the
 * midnight at its end. A time that occurs twice is the first one; a time that clocks skip is as much
 * later as they skip (the rule `compatible` of Temporal).
 */
export function timeOf(date: string, minutes: number, timeZone: string): number {
  const local = Date.parse(`${date}T00:00Z`) + minutes * 60_000;
  const before = offsetAt(local - dayMs, timeZone);
  const after = offsetAt(local + dayMs, timeZone);
  const candidates = before > after ? [before, after] : [after, before];
  const offset = candidates.find((offset) => offsetAt(local - offset, timeZone) === offset);
  return local - (offset ?? before);
}

/** The offset from UTC at this time, in ms: positive east of Greenwich. */
function offsetAt(at: number, timeZone: string): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(at))
    parts[type] = Number(value);
  const { year = 0, month = 0, day, hour, minute, second } = parts;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  return local - Math.floor(at / 1000) * 1000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Throws a RangeError for an unknown zone. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  // Names are case-insensitive: keys as typed would be unbounded.
  const key = timeZone.toLowerCase();
  const cached = formatters.get(key);
  if (cached) return cached;
  // Newer engines also accept UTC offsets, which are rejected here.
  if (!/^[a-z]/i.test(timeZone)) throw new RangeError('The time zone must be a name.');
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(key, formatter);
  return formatter;
}
