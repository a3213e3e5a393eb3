/** Calendar days of a time zone, from local midnight to local midnight. */
import { dateAfter, dateAt, timeOf } from '../time/zone.ts';
import type { TimeWindow } from './model.ts';

export interface LocalDay extends TimeWindow {
  /** Local date: `2026-11-01`. */
  date: string;
  /** The window contains the whole day; its first and last day are usually partial. */
  isWhole: boolean;
}

/**
 * Splits a window at the midnights of a zone. A day with a daylight-saving change has 23 or 25 hours, and
 * starts at one o'clock where clocks change at midnight.
 */
export function localDays({ from, to }: TimeWindow, timeZone: string): LocalDay[] {
  const days: LocalDay[] = [];
  if (to <= from) return days;
  let date = dateAt(from, timeZone);
  let start = timeOf(date, 0, timeZone);
  while (start < to) {
    const next = dateAfter(date);
    const end = timeOf(next, 0, timeZone);
    // A zone that crosses the date line skips a day, which has no length.
    if (end > start) {
      const [cutFrom, cutTo] = [Math.max(start, from), Math.min(end, to)];
      days.push({ date, from: cutFrom, to: cutTo, isWhole: cutFrom === start && cutTo === end });
    }
    [date, start] = [next, end];
  }
  return days;
}
