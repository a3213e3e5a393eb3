import { expect, test } from 'vitest';
import { percent, timeOfDay, wholeMoney } from './format.ts';

test.each([
  [0, '0.00%'],
  [12.5, '12.50%'],
  [0.9724473, '0.97%'],
  [99.999, '100.00%'],
])('percent of %s', (n, text) => expect(percent(n)).toBe(text));

test.each([
  [0, 'USD', '$0.00'],
  [1994, 'USD', '$1,994.00'],
  [0.1 + 0.2, 'USD', '$0.30'],
  [1994.5, 'EUR', '€1,994.50'],
  [1994, 'JPY', '¥1,994'],
  [1.2345, 'KWD', 'KWD\u00a01.235'],
])('wholeMoney of %s %s', (n, currency, text) => expect(wholeMoney(n, currency)).toBe(text));

test('time of day is in the local time zone', () => {
  const local = new Date(2026, 0, 31, 14, 5, 9);
  // Node writes one kind of space before PM, browsers another.
  expect(timeOfDay(local.getTime())).toMatch(/^2:05:09\sPM$/);
});
