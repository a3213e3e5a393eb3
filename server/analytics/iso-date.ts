import { z } from 'zod';

/** A moment as the wire and files write it: ISO 8601 with time and zone. */
export const isoDate = z.iso.datetime({
  offset: true,
  error: 'Please give a date with time and zone, such as 2026-01-31T00:00:00Z.',
});
