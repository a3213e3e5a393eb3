/** A time in ms since 1970 as ISO 8601, UTC: `2026-11-25T09:30:00.000Z`. */
export const isoOf = (at: number): string => new Date(at).toISOString();
