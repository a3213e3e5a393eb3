/** Splits a window into whole days, hours and minutes, so that its totals read few rows. */

import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import type { TimeWindow } from './model.ts';

/** Number of the UTC day since 1970. */
export const dayOf = (at: number) => Math.floor(at / dayMs);

/** Sizes of counter buckets in milliseconds, small to large. Each divides the next. */
export const widths = [minuteMs, hourMs, dayMs] as const;

/** Bucket sizes of the counters of single sources. */
export const sourceWidths = [hourMs, dayMs] as const;

export interface TimeSpan extends TimeWindow {
  /** Size of the buckets in this span; 0 for single events. */
  width: number;
}

/**
 * Returns at most seven disjoint spans that cover the window exactly: days, surrounded by hours, minutes
 * and the partial minutes at both ends.
 */
export function splitWindow({ from, to }: TimeWindow, by: readonly number[] = widths): TimeSpan[] {
  return to <= from ? [] : split({ from, to, width: 0 }, by);
}

function split(span: TimeSpan, [width, ...wider]: readonly number[]): TimeSpan[] {
  if (width === undefined) return [span];
  const from = Math.ceil(span.from / width) * width;
  const to = Math.floor(span.to / width) * width;
  if (to <= from) return [span];
  return [
    { ...span, to: from },
    ...split({ from, to, width }, wider),
    { ...span, from: to },
  ].filter((part) => part.from < part.to);
}
