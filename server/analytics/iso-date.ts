import { z } from 'zod';

/** A moment as the wire and files write it: ISO 8601 with time and zone. */
export const isoDate = z.iso.datetime({
  offset: true,
  error: 'Please give a date with time and zone, such as 2026-01-31T00:00:00Z.',
});

/** A clock elsewhere may be ahead of ours, by a zone at most. */
const aheadAtMost = 24 * 60 * 60_000;

/** Whether something can have happened then: not before 2000, and not in the future. */
export function isPlausible(timestamp: string): boolean {
  const at = Date.parse(timestamp);
  // A date that is none has been complained of already.
  return Number.isNaN(at) || (at >= Date.UTC(2000) && at <= Date.now() + aheadAtMost);
}
