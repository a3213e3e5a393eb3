/** Splits a window into whole hours, which are counted, and the parts of hours at its ends. */

import { dayMs, hourMs } from '../time/units.ts';
import type { TimeWindow } from './model.ts';

/** Number of the UTC day since 1970. */
export const dayOf = (at: number) => Math.floor(at / dayMs);

/** Start of the hour that contains `at` (ms since 1970, UTC). */
export const hourOf = (at: number) => Math.floor(at / hourMs) * hourMs;

/** Returns the whole hours of a window, if it has any, and what is left of it. */
export function splitWindow({ from, to }: TimeWindow): {
  hours: TimeWindow[];
  rest: TimeWindow[];
} {
  const hours = { from: hourOf(from + hourMs - 1), to: hourOf(to) };
  const isLong = hours.from < hours.to;
  const rest = isLong
    ? [
        { from, to: hours.from },
        { from: hours.to, to },
      ]
    : [{ from, to }];
  return { hours: isLong ? [hours] : [], rest: rest.filter((part) => part.from < part.to) };
}
