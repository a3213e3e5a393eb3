import { expect, test } from 'vitest';
import { shortDate, weekday, zoneName } from './dates.ts';

test.each([
  ['2026-11-01', 'Sun, Nov 1'],
  ['2024-02-29', 'Thu, Feb 29'],
  ['2026-12-31', 'Thu, Dec 31'],
])('%s is the same date everywhere', (date, text) =>
  expect(`${weekday(date)}, ${shortDate(date)}`).toBe(text),
);

test.each([
  ['America/New_York', 'Eastern Time'],
  ['Europe/Berlin', 'Central European Time'],
  ['Asia/Katmandu', 'Nepal Time'],
])('%s has a name people use', (zone, name) => expect(zoneName(zone)).toBe(name));
