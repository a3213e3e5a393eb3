/** Times of calls in words. */

/** `Wednesday, November 25, 10:30–11:00 AM, Berlin (GMT+1)` */
export function spanInWords(start: number, end: number, timeZone: string): string {
  return [
    dateInWords(start, timeZone),
    timesInWords(start, end, timeZone),
    zoneInWords(start, timeZone),
  ].join(', ');
}

/** `Wednesday, November 25` */
export const dateInWords = (at: number, timeZone: string): string =>
  formatterOf('date', timeZone).format(at);

/** `Wednesday, Nov 25` */
export const dayInWords = (at: number, timeZone: string): string =>
  formatterOf('day', timeZone).format(at);

/** `Wed, Nov 25` */
export const shortDateInWords = (at: number, timeZone: string): string =>
  formatterOf('shortDate', timeZone).format(at);

/** `10:30 AM` */
export const timeInWords = (at: number, timeZone: string): string =>
  formatterOf('time', timeZone).format(at).replace(/\s/g, ' ');

/** `10:30–11:00 AM`, or `11:30 AM–12:00 PM` */
export function timesInWords(start: number, end: number, timeZone: string): string {
  const [from, to] = [timeInWords(start, timeZone), timeInWords(end, timeZone)];
  const [, half] = from.split(' ');
  return half !== undefined && to.endsWith(half) ? `${from.split(' ')[0]}–${to}` : `${from}–${to}`;
}

/** Whether clocks in two time zones show the same date and time. */
export const isSameClock = (at: number, timeZone: string, other: string): boolean =>
  dateInWords(at, timeZone) === dateInWords(at, other) &&
  timeInWords(at, timeZone) === timeInWords(at, other);

/** The place that a time zone is named after, and its offset: `Berlin (GMT+1)`. */
export const zoneInWords = (at: number, timeZone: string): string =>
  `${timeZone.split('/').at(-1)?.replaceAll('_', ' ')} (${offsetInWords(at, timeZone)})`;

/** `GMT+1` */
function offsetInWords(at: number, timeZone: string): string {
  const parts = formatterOf('offset', timeZone).formatToParts(at);
  // Some engines write GMT+0.
  return parts.find(({ type }) => type === 'timeZoneName')?.value.replace(/\+0$/, '') ?? 'GMT';
}

const styles = {
  date: { weekday: 'long', month: 'long', day: 'numeric' },
  day: { weekday: 'long', month: 'short', day: 'numeric' },
  shortDate: { weekday: 'short', month: 'short', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  offset: { timeZoneName: 'shortOffset' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Maximum formatters in memory. */
const maxFormatters = 1000;

/** Creating one takes a hundred times as long as formatting a time. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(style: keyof typeof styles, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`;
  const cached = formatters.get(key);
  if (cached) return cached;
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, ...styles[style] });
  if (formatters.size >= maxFormatters) formatters.clear();
  formatters.set(key, formatter);
  return formatter;
}
