/** The group `calls` of `site.config.ts`: when the owner takes calls, as `slots` needs it. */
import type { CallName } from '../contract/calls.ts';
import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import { dateAfter } from '../time/zone.ts';
import type { Availability, CallRules, WorkingHours } from './slots.ts';

/** The name of each call in `site.config.ts`. */
export const callFields = {
  'strategy-call': 'strategyCall',
  'inbox-review': 'inboxReview',
} as const satisfies Record<CallName, string>;

/** The weekdays, from Sunday as in `Date`. */
const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

/** One kind of call. */
export interface CallConfig {
  minutes: number;
  /** Minutes from one start to the next. */
  step: number;
  /** From now to the first start, such as `12 hours`. */
  notice: string;
  /** From now to the last start, such as `28 days`. */
  horizon: string;
  /** Time to keep free before and after the call, such as `15 minutes`. */
  gap: string;
  place: string;
  /** Asked after the booking. */
  questions: readonly string[];
}

/** Hours are texts such as `10:00-12:30`; dates are `2026-12-24`, or `2026-12-24/2027-01-01`. */
export interface Calls extends Record<(typeof callFields)[CallName], CallConfig> {
  timeZone: string;
  hours: Record<(typeof weekdays)[number], readonly string[]>;
  special: Readonly<Record<string, readonly string[]>>;
  closed: readonly string[];
}

/** The hours that `site.config.ts` is shipped with. A site that visitors can reach does not offer them. */
const sampleHours: Pick<Calls, 'timeZone' | 'hours'> = {
  timeZone: 'Europe/London',
  hours: {
    monday: [],
    tuesday: ['10:00-12:30', '14:00-16:30'],
    wednesday: ['10:00-12:30', '14:00-16:30'],
    thursday: ['10:00-12:30', '14:00-16:30'],
    friday: ['10:00-12:30'],
    saturday: [],
    sunday: [],
  },
};

/** Whether the owner has not written their own hours yet. */
export const hasSampleHours = ({ timeZone, hours }: Calls): boolean =>
  timeZone === sampleHours.timeZone &&
  weekdays.every((day) => hours[day].join() === sampleHours.hours[day].join());

/** The link of a place that is the address of a meeting; undefined for another place. */
export const linkOf = (place: string): string | undefined =>
  /^https?:\/\/\S+$/.test(place) ? place : undefined;

/** When the owner takes calls. A special date stays open within a closed range. */
export function availabilityOf({ timeZone, hours, special, closed }: Calls): Availability {
  const closedDates = closed.flatMap((range) => datesOf(range) ?? []);
  return {
    timeZone,
    weekly: weekdays.map((day) => hours[day].map(hoursOf)),
    dates: new Map<string, WorkingHours[]>([
      ...closedDates.map((date): [string, WorkingHours[]] => [date, []]),
      ...Object.entries(special).map(([date, ranges]) => [date, ranges.map(hoursOf)] as const),
    ]),
  };
}

/** The rules of one kind of call. */
export const rulesOf = ({ minutes, step, notice, horizon, gap }: CallConfig): CallRules => ({
  lengthMs: minutes * minuteMs,
  stepMs: step * minuteMs,
  noticeMs: durationMs(notice) ?? 0,
  horizonMs: durationMs(horizon) ?? 0,
  gapMs: durationMs(gap) ?? 0,
});

/** Most days from the first to the last date of a closed range. */
const longestRange = 3 * 366;

/** The dates of `2026-12-24`, or of `2026-12-24/2027-01-01`; undefined for any other text. */
export function datesOf(range: string): string[] | undefined {
  const [first = '', last = first, ...others] = range.split('/');
  if (!isDate(first) || !isDate(last) || first > last || others.length > 0) return undefined;
  const dates = [first];
  for (let date = first; date !== last; ) {
    if (dates.length > longestRange) return undefined;
    date = dateAfter(date);
    dates.push(date);
  }
  return dates;
}

/** Whether the text is a date of the calendar, such as `2026-12-24`. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

/** The minutes of `10:00-12:30`; undefined for any other text, and when it ends before it starts. */
export function parseHours(range: string): WorkingHours | undefined {
  const [, start, end] = /^(\d\d:\d\d) ?[-–] ?(\d\d:\d\d)$/.exec(range) ?? [];
  if (start === undefined || end === undefined) return undefined;
  const hours = { start: minutesOf(start), end: minutesOf(end) };
  return hours.start < hours.end && hours.end <= 1440 ? hours : undefined;
}

const hoursOf = (range: string): WorkingHours => {
  const hours = parseHours(range);
  if (!hours) throw new Error(`"${range}" is not a time range.`);
  return hours;
};

/** Minutes after midnight; NaN when there is no such minute. */
function minutesOf(time: string): number {
  const [hour = 0, minutes = 0] = time.split(':').map(Number);
  return minutes < 60 ? hour * 60 + minutes : Number.NaN;
}

const unitMs = { m: minuteMs, h: hourMs, d: dayMs };

/** The milliseconds of `15 minutes`, `12 hours` or `28 days`; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,4}) ?(?:(m|h|d)|(?:minute|hour|day)s?)$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const first = unit ?? text.replace(/[\d ]/g, '').charAt(0);
  return Number(count) * unitMs[first as keyof typeof unitMs];
}
