import { expect, test } from 'vitest';
import { dateAndTime, dollars, percent, timeOfDay, wholeNumber } from './format.ts';

test.each([
  [0, '0'],
  [1234, '1,234'],
  [12345678, '12,345,678'],
])('wholeNumber of %s', (n, text) => expect(wholeNumber(n)).toBe(text));

test.each([
  [0, '0.00%'],
  [12.5, '12.50%'],
  [0.9724473, '0.97%'],
  [99.999, '100.00%'],
])('percent of %s', (n, text) => expect(percent(n)).toBe(text));

test.each([
  [0, '$0.00'],
  [1994, '$1,994.00'],
  [0.1 + 0.2, '$0.30'],
])('dollars of %s', (n, text) => expect(dollars(n)).toBe(text));

test('times are in the local time zone', () => {
  const local = new Date(2026, 0, 31, 14, 5, 9);
  // Node writes one kind of space before PM, browsers another.
  expect(dateAndTime(local.toISOString())).toMatch(/^Jan 31, 2026, 2:05\sPM$/);
  expect(timeOfDay(local.getTime())).toMatch(/^2:05:09\sPM$/);
});
