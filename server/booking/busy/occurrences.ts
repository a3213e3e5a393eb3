/** The start times of a repeating event, with the iterator of ical.js. */
import ICAL from 'ical.js';
import { dayMs, hourMs } from '../../time/units.ts';
import type { Span } from '../slots.ts';
import { CalendarError } from './errors.ts';

/** Converts a local time, in ms since 1970 as if it were UTC, to ms since 1970. */
export type ToUtc = (local: number) => number;

/** Zones differ from UTC by up to 14 hours, and dates of a rule by a day. */
const marginMs = 2 * dayMs;

/** Maximum occurrences of a rule that are computed. */
const maxSteps = 50_000;

/** Maximum times in a row that are not an occurrence: all minutes of a window, and years with a leap day. */
const maxMisses = 300_000;

/** How many of them are searched in one step. */
const missesPerStep = 10;

/** The period of the frequencies whose occurrences are a fixed time apart by the clock. */
const periodMs: Readonly<Record<string, number>> = {
  SECONDLY: 1000,
  MINUTELY: 60_000,
  HOURLY: hourMs,
  DAILY: dayMs,
  WEEKLY: 7 * dayMs,
};

const periodMonths: Readonly<Record<string, number>> = { MONTHLY: 1, YEARLY: 12 };

const timeParts = ['BYHOUR', 'BYMINUTE', 'BYSECOND'] as const;
const dayParts = ['BYDAY', 'BYMONTHDAY', 'BYWEEKNO', 'BYYEARDAY'] as const;

/**
 * Yields local start times of a series that starts at `start`, in ascending order: all that are in
 * `window`, which is in ms since 1970, and some around it. Yields undefined when a step finds none, so that
 * a step takes much less than a millisecond. Throws for a malformed rule, and a `CalendarError` for one with
 * more than 50,000 occurrences.
 */
export function* occurrencesOf(
  rule: ICAL.Recur,
  start: number,
  window: Span,
  toUtc: ToUtc,
): Generator<number | undefined> {
  const { until } = rule;
  const end =
    Math.min(window.to, until ? localOf(until) + (until.isDate ? dayMs : 0) : Infinity) + marginMs;
  const limited = supported(rule);
  limited.until = icalTime(end);
  const first = skipTo(limited.count ? start : window.from - marginMs, start, limited);
  // ical.js counts the months of an interval: one that is longer than the window need not be exact.
  const periods = Math.ceil((end - first) / (periodMs[limited.freq] ?? dayMs));
  limited.interval = Math.min(limited.interval, Math.max(1, periods + 1));
  const iterator = new RuleIterator({ rule: limited, dtstart: icalTime(first) });
  iterator.selects = timeFilter(rule, icalTime(start));
  let misses = 0;
  for (let steps = 0; steps < maxSteps; ) {
    const time = iterator.next();
    if (!time) return;
    const local = localOf(time);
    if (until && isAfter(local, until, toUtc)) return;
    if (iterator.isMatch()) {
      misses = 0;
      steps++;
      yield local;
    } else {
      misses += missesPerStep;
      if (misses > maxMisses) throw new RangeError('A rule has no occurrence for too long.');
      if (limited.count) limited.count++;
      yield undefined;
    }
  }
  throw new CalendarError(
    'The calendar has an event that repeats more than 50,000 times. Remove events that repeat each minute or hour.',
  );
}

/**
 * The part of the rule that ical.js 2.2.1 reads correctly: `timeFilter` applies the rest. A position that it
 * does not read is ignored, so that all times are busy, and with it the count, which would be reached early.
 */
function supported(rule: ICAL.Recur): ICAL.Recur {
  const { freq, parts } = rule;
  const limited = rule.clone();
  if (freq in periodMonths) {
    limited.freq = hasPosition(rule) ? 'MONTHLY' : 'DAILY';
    limited.interval = 1;
  }
  const isMonthly = limited.freq === 'MONTHLY';
  if ('BYSETPOS' in parts && !isMonthly) limited.count = null;
  const kept: string[] = timeParts.slice(['HOURLY', 'MINUTELY', 'SECONDLY'].indexOf(freq) + 1);
  if (freq === 'WEEKLY') kept.push('BYDAY');
  if (isMonthly) kept.push('BYDAY', 'BYSETPOS');
  limited.parts = Object.fromEntries(Object.entries(parts).filter(([name]) => kept.includes(name)));
  return limited;
}

/** Whether the rule selects a position among the weekdays of one month, as programs write it. */
const hasPosition = ({ freq, parts }: ICAL.Recur): boolean =>
  'BYSETPOS' in parts &&
  'BYDAY' in parts &&
  (freq === 'MONTHLY' || parts.BYMONTH?.length === 1) &&
  dayParts.every((name) => name === 'BYDAY' || !(name in parts)) &&
  timeParts.every((name) => (parts[name]?.length ?? 1) === 1);

/**
 * Whether the parts of a rule, but for its position, select a time of a series that starts at `start`. Weeks
 * without a weekday are busy on all days, since programs read them differently.
 */
function timeFilter({ freq, interval, wkst, parts }: ICAL.Recur, start: ICAL.Time) {
  const isByMonth = freq in periodMonths;
  const monthsPerPeriod = periodMonths[freq] ?? 1;
  const periodOf = ({ year, month }: ICAL.Time) =>
    Math.floor((year * 12 + month - 1) / monthsPerPeriod);
  const isByStart = isByMonth && !dayParts.some((name) => name in parts);
  const months = parts.BYMONTH ?? (isByStart && freq === 'YEARLY' ? [start.month] : undefined);
  const monthDays = parts.BYMONTHDAY ?? (isByStart ? [start.day] : undefined);
  const weekdays = parts.BYDAY?.map((text) => {
    const [, ordinal, weekday] = /^([+-]?\d+)?(\w\w)$/.exec(text) ?? [];
    return { ordinal: isByMonth ? Number(ordinal ?? 0) : 0, weekday };
  });
  return (time: ICAL.Time): boolean => {
    if (time.compare(start) < 0) return false;
    const { year, month, day, hour, minute, second } = time;
    if (!isIn(months, month)) return false;
    if (isByMonth && (periodOf(time) - periodOf(start)) % interval !== 0) return false;
    if (!isIn(parts.BYHOUR, hour) || !isIn(parts.BYMINUTE, minute)) return false;
    if (!isIn(parts.BYSECOND, second)) return false;
    const daysInMonth = ICAL.Time.daysInMonth(month, year);
    if (!isIn(monthDays, day, daysInMonth)) return false;
    const yearDay = time.dayOfYear();
    const daysInYear = daysIn(year);
    if (!isIn(parts.BYYEARDAY, yearDay, daysInYear)) return false;
    if (parts.BYWEEKNO && !isInWeeks(parts.BYWEEKNO, time, wkst)) return false;
    if (!weekdays) return true;
    const name = ICAL.Recur.numericDayToIcalDay(time.dayOfWeek());
    const [at, length] =
      freq === 'MONTHLY' || parts.BYMONTH ? [day, daysInMonth] : [yearDay, daysInYear];
    const ordinals = [0, Math.ceil(at / 7), -Math.ceil((length - at + 1) / 7)];
    return weekdays.some(({ ordinal, weekday }) => weekday === name && ordinals.includes(ordinal));
  };
}

/** Whether a list contains this value; negative ones are from the end of `length`. */
const isIn = (list: number[] | undefined, value: number, length = Infinity) =>
  !list || list.includes(value) || list.includes(value - length - 1);

/** A week belongs to the year of its fourth day. ical.js 2.2.1 counts other weeks if they do not start on Monday. */
function isInWeeks(weeks: number[], time: ICAL.Time, wkst: ICAL.Recur['wkst']): boolean {
  const fourth = time.clone();
  fourth.day += 4 - time.dayOfWeek(wkst);
  const yearDay = fourth.dayOfYear();
  const left = daysIn(fourth.year) - yearDay;
  return weeks.includes(Math.ceil(yearDay / 7)) || weeks.includes(-Math.floor(left / 7) - 1);
}

const daysIn = (year: number) => (ICAL.Time.isLeapYear(year) ? 366 : 365);

/**
 * A start of the same series before `earliest`, whole intervals after `start`, so that most of the older
 * occurrences are not computed.
 */
function skipTo(earliest: number, start: number, { freq, interval }: ICAL.Recur): number {
  const step = (periodMs[freq] ?? dayMs) * interval;
  const skipped = start + Math.max(0, Math.floor((earliest - start) / step)) * step;
  // ical.js 2.2.1 does not check the position of the first time, which is in an earlier month here.
  return freq === 'MONTHLY' ? skipped - 31 * dayMs : skipped;
}

/** Whether a series with this `until` has ended before `local`. Of a date, the whole day is part of it. */
function isAfter(local: number, until: ICAL.Time, toUtc: ToUtc): boolean {
  if (until.isDate) return local >= localOf(until) + dayMs;
  return isUtc(until) ? toUtc(local) > localOf(until) : local > localOf(until);
}

/** The iterator of ical.js 2.2.1, which would search without end for a time that does not exist. */
class RuleIterator extends ICAL.RecurIterator {
  /** Whether a time is an occurrence by the parts of the rule that ical.js does not read. */
  selects: (time: ICAL.Time) => boolean = () => true;
  /** Whether the last month has an occurrence. Not initialized here, since the base constructor sets it. */
  declare isInMonth: boolean | undefined;
  #misses = 0;

  /** Whether the last time is an occurrence. */
  isMatch(): boolean {
    return this.isInMonth !== false && this.selects(this.last);
  }

  override next_month(): number {
    this.isInMonth = super.next_month() === 1;
    return 1;
  }

  /** The same as that of ical.js, which counts each day. */
  override increment_monthday(days: number): void {
    this.last.day += days;
  }

  override check_contracting_rules(): boolean {
    return this.isMatch() || ++this.#misses % missesPerStep === 0;
  }
}

/** A time of ical.js as a local time, in ms since 1970 as if it were UTC. */
export const localOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/** Whether a time of ical.js is in UTC by itself, whatever its property says about its zone. */
export const isUtc = (time: ICAL.Time): boolean => time.zone === ICAL.Timezone.utcTimezone;

/** In UTC, so that ical.js never converts it. */
const icalTime = (local: number) => ICAL.Time.fromJSDate(new Date(local), true);
