import { z } from 'zod';
import { dayMs } from '../time/units.ts';

/** A timestamp in the API and in files: ISO 8601 with time and zone. */
export const isoDate = z.iso.datetime({
  offset: true,
  error: 'Please give a date with time and zone, such as 2026-01-31T00:00:00Z.',
});

/** A date that a window begins or ends at. Later years do not fit into the dates of the report. */
export const windowDate = isoDate.refine(
  (timestamp) => {
    const at = Date.parse(timestamp);
    return Number.isNaN(at) || (at >= Date.UTC(1000, 0) && at < Date.UTC(2200, 0));
  },
  { error: 'Please give a date from the year 1000 to 2199.' },
);

/** Allowed clock skew in milliseconds: a local time without its zone may be up to a day ahead. */
const maxSkewMs = dayMs;

/** Whether the time is between 2000 and now (plus a day of clock skew). */
export function isPlausible(timestamp: string): boolean {
  const at = Date.parse(timestamp);
  // An invalid date already has an error from `isoDate`.
  return Number.isNaN(at) || (at >= Date.UTC(2000) && at <= Date.now() + maxSkewMs);
}
