/** Cuts a window into whole days, hours and minutes, so that counting it reads few rows. */
import type { TimeWindow } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Sizes of counter buckets in milliseconds, small to large. Each divides the next. */
export const widths = [minute, hour, day] as const;

/** Those that the counters of a single source have. */
export const sourceWidths = [hour, day] as const;

export interface Span extends TimeWindow {
  /** Size of the buckets that make this span up; 0: single events. */
  width: number;
}

/**
 * Disjoint spans that together are exactly the window: days inside hours inside minutes inside the
 * two part-minutes at its ends. Never more than seven.
 */
export function spansOf({ from, to }: TimeWindow, by: readonly number[] = widths): Span[] {
  return to <= from ? [] : split({ from, to, width: 0 }, by);
}

function split(span: Span, [width, ...wider]: readonly number[]): Span[] {
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
