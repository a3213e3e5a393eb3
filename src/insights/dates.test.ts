import { expect, test } from 'vitest';
import { ago, shortDate, weekday, zoneName } from './dates.ts';

test.each([
  ['2026-11-01', 'Sun, Nov 1'],
  ['2024-02-29', 'Thu, Feb 29'],
  ['2026-12-31', 'Thu, Dec 31'],
])('date %s keeps its day in every time zone', (date, text) =>
  expect(`${weekday(date)}, ${shortDate(date)}`).toBe(text),
);

test.each([
  ['America/New_York', 'Eastern Time'],
  ['Europe/Berlin', 'Central European Time'],
  ['Asia/Katmandu', 'Nepal Time'],
])('zoneName of %s is its common name', (zone, name) => expect(zoneName(zone)).toBe(name));

const minute = 60_000;
const now = Date.UTC(2026, 2, 10, 12);

test.each([
  // The browser's clock is behind the server's.
  [-2 * minute, '1 minute ago'],
  [0, '1 minute ago'],
  [59_000, '1 minute ago'],
  [3 * minute, '3 minutes ago'],
  [59.9 * minute, '59 minutes ago'],
  [60 * minute, '1 hour ago'],
  [47 * 60 * minute, '1 day ago'],
  [40 * 24 * 60 * minute, '40 days ago'],
])('ago after %i ms is “%s”', (passed, text) =>
  expect(ago(new Date(now - passed).toISOString(), now)).toBe(text),
);
