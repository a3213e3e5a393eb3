/** Free times of the owner's calls, from `site.config.ts` and the stored bookings. */
import type { CallName } from '../contract/calls.ts';
import { dateAfter, dateAt, timeOf } from '../time/zone.ts';
import { availabilityOf, type CallConfig, type Calls, callFields, rulesOf } from './calls.ts';
import { type BusySpan, hoursOn, type Span, slots } from './slots.ts';

/** Days with free times in one response. */
const daysPerPage = 10;

/** Free times that are proposed instead of one that is taken. */
const nearestTimes = 3;

/** The free times of one local date, in ms since 1970. */
export interface FreeDay {
  date: string;
  slots: number[];
}

export type Schedule = ReturnType<typeof createSchedule>;

/** Creates the schedule of the calls. Without `isOpen` no time is free. */
export function createSchedule(calls: Calls, { isOpen = true } = {}) {
  const availability = availabilityOf(calls);
  const rules = {
    'strategy-call': rulesOf(calls.strategyCall),
    'inbox-review': rulesOf(calls.inboxReview),
  };
  const free = (call: CallName, busy: readonly BusySpan[], now: number, within?: Span) =>
    isOpen ? slots(availability, rules[call], busy, now, within) : [];
  return {
    /** The time zone of the owner. */
    timeZone: calls.timeZone,
    call: (name: CallName): CallConfig => calls[callFields[name]],
    /** The length and the gap of a call, in ms. */
    rules: (name: CallName) => rules[name],
    /** From now to the last time that is offered. */
    horizon: (name: CallName, now: number): Span => ({
      from: now,
      to: now + rules[name].horizonMs + rules[name].lengthMs,
    }),
    /** The free times of a call, in ms since 1970, in order. */
    free,
    /** Whether this time of a call is free. */
    isFree: (name: CallName, start: number, busy: readonly BusySpan[], now: number) =>
      free(name, busy, now, { from: start, to: start + 1 }).length > 0,
    /** The seven local dates from today on, and whether the owner has working hours on each. */
    week: (now: number): { date: string; isOpen: boolean }[] => {
      const dates = [dateAt(now, calls.timeZone)];
      while (dates.length < 7) dates.push(dateAfter(dates.at(-1) ?? ''));
      return dates.map((date) => ({ date, isOpen: hoursOn(availability, date).length > 0 }));
    },
  };
}

/**
 * The first ten days with free times from a local date on, and the date of the day after them, if any.
 * Dates are those of `timeZone`.
 */
export function pageOfDays(
  times: readonly number[],
  { timeZone, from }: { timeZone: string; from?: string | undefined },
): { days: FreeDay[]; next: string | undefined } {
  const start = from === undefined ? -Infinity : timeOf(from, 0, timeZone);
  const days: FreeDay[] = [];
  let end = -Infinity;
  for (const time of times) {
    if (time < start) continue;
    if (time < end) {
      days.at(-1)?.slots.push(time);
      continue;
    }
    const date = dateAt(time, timeZone);
    if (days.length === daysPerPage) return { days, next: date };
    days.push({ date, slots: [time] });
    // Once a day: local times are most of the work.
    end = timeOf(dateAfter(date), 0, timeZone);
  }
  return { days, next: undefined };
}

/** The free times that are closest to this one, in order. */
export const nearest = (times: readonly number[], wanted: number): number[] =>
  times
    .toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))
    .slice(0, nearestTimes)
    .sort((a, b) => a - b);
