/** Formats calendar dates such as `2026-11-01`, and ages, in US English. */

const written = (options: Intl.DateTimeFormatOptions) => {
  // Parse and format in the same time zone, so that the calendar date does not shift.
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return (date: string) => format.format(new Date(`${date}T00:00:00Z`));
};

/** `Nov 1` */
export const shortDate = written({ month: 'short', day: 'numeric' });

/** `Sun, Nov 1` */
export const dayAndMonth = written({ weekday: 'short', month: 'short', day: 'numeric' });

/** `1 Sun` in the order of the locale. */
export const dayOfWeek = written({ weekday: 'short', day: 'numeric' });

/** `Sun` */
export const weekday = written({ weekday: 'short' });

/** `Nov 24, 2025` */
export const longDate = written({ dateStyle: 'medium' });

/** `Nov` of `2026-11` */
export const shortMonth = (month: string) => monthOnly(`${month}-01`);
const monthOnly = written({ month: 'short' });

/** `November 2026` of `2026-11` */
export const longMonth = (month: string) => monthAndYear(`${month}-01`);
const monthAndYear = written({ month: 'long', year: 'numeric' });

/** `Eastern Time` of `America/New_York`. */
export function zoneName(timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' });
  const name = format.formatToParts().find(({ type }) => type === 'timeZoneName');
  return name?.value ?? timeZone;
}

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;

/** Relative time from `now` (ms since 1970), at least one minute: `3 hours ago`. */
export function ago(timestamp: string, now: number): string {
  const passed = Math.max(now - Date.parse(timestamp), 60_000);
  const [unit, length] = units.find(([, length]) => passed >= length) ?? units[2];
  return new Intl.RelativeTimeFormat('en-US').format(-Math.floor(passed / length), unit);
}
