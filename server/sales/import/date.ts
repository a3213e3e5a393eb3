/** Dates as other programs write them. */
import { isTimeZone, timeOf } from '../../time/zone.ts';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Hours from UTC of the abbreviations in exports that mean one zone only. */
const offsets: Record<string, number> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  BRT: -3,
  SGT: 8,
  HKT: 8,
  JST: 9,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
};

const yearFirst = /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})/;
const named =
  /^(?:(?<day>\d{1,2})\.? )?(?<name>[A-Za-z]{3,9})\.? (?:(?<later>\d{1,2}),? )?(?<year>\d{4})/;
const numeric = /^(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})[-/.](?<year>\d{4}|\d{2})(?!\d)/;
const clock =
  /^[T,\s]*(?:(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d+)?)?\s*(?<half>[ap]\.?m\.?)?)?\s*(?<zone>[A-Za-z][\w/+-]*|[+-]\d{2}:?\d{2})?$/i;

/** Longer texts are no dates. The pattern above takes time in the square of the length. */
const maxLength = 100;

export interface DateOptions {
  /** Whether 01/02/2026 is the first of February. */
  isDayFirst: boolean;
  /** The IANA time zone of dates without one that is known. */
  timeZone: string;
}

/** The time in ms since 1970; undefined when the text is no date. */
export function timeOfDate(
  text: string,
  { isDayFirst, timeZone }: DateOptions,
): number | undefined {
  const date = text.length <= maxLength ? dateIn(text, isDayFirst) : undefined;
  if (!date) return undefined;
  const parts = clock.exec(text.slice(date.length).trimEnd())?.groups;
  if (!parts) return undefined;
  const { hour = '0', minute = '0', second = '0', fraction = '0', half, zone } = parts;
  const hours = half ? (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hour);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = hours * 3600 + Number(minute) * 60 + Number(second);
  const ms = Math.round(seconds * 1000 + Number(fraction) * 1000);
  const offset = zone === undefined ? undefined : offsetOf(zone);
  if (offset !== undefined) return Date.parse(`${date.iso}T00:00Z`) + ms - offset;
  // Intl knows some abbreviations that name several zones.
  const place = zone?.includes('/') && isTimeZone(zone) ? zone : timeZone;
  return Math.round(timeOf(date.iso, ms / 60_000, place));
}

/** Offset from UTC in ms of `+02:00` or an abbreviation; undefined for others. */
function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (hours === undefined) {
    const known = offsets[zone.toUpperCase()];
    return known === undefined ? undefined : known * 3_600_000;
  }
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The date at the start of a text, and how many characters it takes. */
function dateIn(text: string, isDayFirst: boolean): { iso: string; length: number } | undefined {
  const found = yearFirst.exec(text) ?? named.exec(text) ?? numeric.exec(text);
  const groups = found?.groups;
  if (!groups) return undefined;
  let { year = '', month, day = groups.later } = groups;
  if (groups.name) month = String(months.indexOf(groups.name.slice(0, 3).toLowerCase()) + 1);
  if (groups.first) {
    const isFirst = isDayFirst || groups.mark === '.';
    [day, month] = isFirst ? [groups.first, groups.second] : [groups.second, groups.first];
  }
  if (year.length === 2) year = `20${year}`;
  const iso = [year, month?.padStart(2, '0'), day?.padStart(2, '0')].join('-');
  const at = new Date(`${iso}T00:00Z`);
  // JavaScript would take the 30th of February for the 2nd of March.
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso) return undefined;
  return { iso, length: found[0].length };
}

/** Whether the day comes first in dates such as 31/01/2026; undefined when all of them can be read both ways. */
export function isDayFirstIn(dates: readonly string[]): boolean | undefined {
  let isOpen = false;
  for (const date of dates) {
    const { first, second, mark } = numeric.exec(date)?.groups ?? {};
    if (first === undefined || mark === '.') continue;
    if (Number(first) > 12) return true;
    if (Number(second) > 12) return false;
    isOpen ||= first !== second;
  }
  return isOpen ? undefined : false;
}
