import { dateAndTime, timeInWords } from '../../server/contract/times.ts';

/** `Today, 9:42 AM`, or `Nov 25, 2026, 8:14 PM`, in the time zone of this browser. `at` is ISO 8601, `now` ms since 1970. */
export function whenInWords(at: string, now: number): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? `Today, ${timeInWords(at, timeZone)}` : dateAndTime(at);
}

/** A time within a sentence: `today, 9:42 AM`. */
export const inText = (when: string): string => when.replace(/^Today/, 'today');
