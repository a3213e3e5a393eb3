/** Formats calendar dates such as `2026-11-01` in US English. */

const written = (options: Intl.DateTimeFormatOptions) => {
  // Parse and format in the same time zone, so that the calendar date does not shift.
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return (date: string) => format.format(new Date(`${date}T00:00:00Z`));
};

/** `Nov 1` */
export const shortDate = written({ month: 'short', day: 'numeric' });

/** `Sun` */
export const weekday = written({ weekday: 'short' });

/** `Eastern Time` of `America/New_York`. */
export function zoneName(timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' });
  const name = format.formatToParts().find(({ type }) => type === 'timeZoneName');
  return name?.value ?? timeZone;
}
