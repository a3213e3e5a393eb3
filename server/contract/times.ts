/**
 * Times and time zones in words, by default in US English; another language is a BCP 47 tag. A time is in ms since 1970,
 * or ISO 8601.
 */

type Time = number | string;

/** `Wednesday, November 25, 10:30–11:00 AM, Berlin (GMT+1)` */
export function spanInWords(start: Time, end: Time, timeZone: string, language?: string): string {
  return [
    dateInWords(start, timeZone, language),
    timesInWords(start, end, timeZone, language),
    zoneInWords(start, timeZone, language),
  ].join(', ');
}

/** `Wednesday, November 25` */
export const dateInWords = (at: Time, timeZone: string, language?: string) =>
  format(at, 'date', timeZone, language);

/** `Wednesday, Nov 25` */
export const dayInWords = (at: Time, timeZone: string, language?: string) =>
  format(at, 'day', timeZone, language);

/** `10:30 AM` */
export const timeInWords = (at: Time, timeZone: string, language?: string) =>
  format(at, 'time', timeZone, language).replace(/\s/g, ' ');

/** `Wed, Nov 25, 10:30 AM` */
export const weekdayAndTime = (at: Time, timeZone: string, language?: string) =>
  `${format(at, 'shortDate', timeZone, language)}, ${timeInWords(at, timeZone, language)}`;

/** `Jan 31, 2026, 2:05 PM`, by default in the time zone of this browser or machine. */
export const dateAndTime = (at: Time, timeZone?: string) => format(at, 'dateAndTime', timeZone);

/** `10:30–11:00 AM`, or `11:30 AM–12:00 PM` */
export function timesInWords(start: Time, end: Time, timeZone: string, language?: string): string {
  const [from, to] = [timeInWords(start, timeZone, language), timeInWords(end, timeZone, language)];
  const [, half] = from.split(' ');
  return half !== undefined && to.endsWith(half) ? `${from.split(' ')[0]}–${to}` : `${from}–${to}`;
}

/** Whether clocks in two time zones show the same date and time. */
export const isSameClock = (at: Time, timeZone: string, other: string): boolean =>
  dateInWords(at, timeZone) === dateInWords(at, other) &&
  timeInWords(at, timeZone) === timeInWords(at, other);

/** The place that a time zone is named after: `New York` */
export const placeOf = (timeZone: string): string =>
  timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** The place of a time zone, and its offset: `Berlin (GMT+1)`. */
export function zoneInWords(at: Time, timeZone: string, language?: string): string {
  const parts = formatterOf('offset', timeZone, language).formatToParts(new Date(at));
  // Some engines write GMT+0.
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace(/\+0$/, '');
  return `${placeOf(timeZone)} (${offset ?? 'GMT'})`;
}

/** The IANA time zones that a person can choose from, with `own` among them: engines list old names only. */
export const timeZones = (own: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', own])].sort();

const styles = {
  date: { weekday: 'long', month: 'long', day: 'numeric' },
  day: { weekday: 'long', month: 'short', day: 'numeric' },
  shortDate: { weekday: 'short', month: 'short', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  dateAndTime: { dateStyle: 'medium', timeStyle: 'short' },
  offset: { timeZoneName: 'shortOffset' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

const format = (
  at: Time,
  style: keyof typeof styles,
  timeZone?: string,
  language?: string,
): string => formatterOf(style, timeZone, language).format(new Date(at));

/** Maximum formatters in memory. */
const maxFormatters = 1000;

/** Creating one takes a hundred times as long as formatting a time. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(
  style: keyof typeof styles,
  timeZone?: string,
  language = 'en-US',
): Intl.DateTimeFormat {
  const key = `${language} ${style} ${timeZone}`;
  const cached = formatters.get(key);
  if (cached) return cached;
  const formatter = new Intl.DateTimeFormat(language, { timeZone, ...styles[style] });
  if (formatters.size >= maxFormatters) formatters.clear();
  formatters.set(key, formatter);
  return formatter;
}
