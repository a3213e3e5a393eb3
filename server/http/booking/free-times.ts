/** The free times of a call as variables of the page templates. */

import type { Context } from '../../app/context.ts';
import { isDate } from '../../booking/calls.ts';
import { pageOfDays } from '../../booking/schedule.ts';
import type { CallName } from '../../contract/calls.ts';
import type { FreeTimesVariables } from '../../contract/pages.ts';
import {
  dayInWords,
  timeInWords,
  timeZones,
  weekdayAndTime,
  zoneInWords,
} from '../../contract/times.ts';
import { isoOf } from '../../time/iso.ts';
import { isTimeZone } from '../../time/zone.ts';

interface FreeTimesOptions {
  call: CallName;
  /** The time zone of the times. */
  zone: string;
  query: URLSearchParams;
  path: string;
  /** Where the form with the chosen time is sent. */
  action: string;
  /** The times to offer instead of one that is taken, as ISO 8601. */
  nearest: readonly string[] | undefined;
  /** The time that was chosen before, as ISO 8601. */
  chosen: string | undefined;
  /** Parameters that links of the page keep. */
  keeps?: Record<string, string>;
}

/** The variables of one page of free times. */
export async function freeTimesVariables(
  ctx: Context,
  { call, zone, query, path, action, nearest = [], chosen, keeps }: FreeTimesOptions,
): Promise<FreeTimesVariables> {
  const asked = query.get('from') ?? '';
  const from = isDate(asked) ? asked : undefined;
  const { bookingPages, language } = ctx.words;
  const { oneTime, manyTimes } = bookingPages;
  const times = await ctx.freeTimes(call);
  const { days, next } = pageOfDays(times, { timeZone: zone, from });
  const [first] = times;
  const linkTo = (changes: Record<string, string>) => {
    const kept = { ...Object.fromEntries(sourceQuery(query)), ...keeps, timeZone: zone };
    return `${path}?${new URLSearchParams({ ...kept, ...changes })}`;
  };
  const chosenStart = Date.parse(chosen ?? '');
  const isChosen = (start: number) => start === chosenStart;
  const timeVariables = (start: number, day = dayInWords(start, zone, language)) => {
    const time = timeInWords(start, zone, language);
    return { start: isoOf(start), time, name: `${day}, ${time}`, isChosen: isChosen(start) };
  };
  const openDay = Math.max(
    days.findIndex(({ slots }) => slots.some(isChosen)),
    0,
  );
  return {
    action,
    hasDays: days.length > 0,
    minutes: String(ctx.schedule.call(call).minutes),
    zoneName: zoneInWords(first ?? ctx.now(), zone, language),
    zoneLink: linkTo({ change: '' }),
    firstFree: first === undefined ? '' : weekdayAndTime(first, zone, language),
    firstLink: from === undefined ? '' : linkTo({}),
    laterLink: next === undefined ? '' : linkTo({ from: next }),
    hasZones: query.has('change'),
    zones: query.has('change')
      ? timeZones(zone).map((name) => ({ zone: name, isChosen: name === zone }))
      : [],
    hasNearest: nearest.length > 0,
    nearest: nearest.map((start) => timeVariables(Date.parse(start))),
    days: days.map(({ slots }, i) => {
      const day = dayInWords(slots[0] ?? 0, zone, language);
      return {
        day,
        count: `${slots.length} ${slots.length === 1 ? oneTime : manyTimes}`,
        isOpen: i === openDay,
        slots: slots.map((start) => timeVariables(start, day)),
      };
    }),
  };
}

/** The query without the parameters of the page: what names the source of a visit. */
export function sourceQuery(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query);
  for (const name of ['timeZone', 'from', 'change', 'button']) rest.delete(name);
  return rest;
}

/** The time zone that the visitor's browser or choice names; undefined without a valid one. */
export function zoneOf(values: URLSearchParams): string | undefined {
  const zone = values.get('timeZone') ?? '';
  return isTimeZone(zone) ? zone : undefined;
}
