import { expect, test } from 'vitest';
import { wilson } from './wilson.ts';

// R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17
// (1998), table I, method 3.
test.each([
  [81, 263, 25.53, 36.62],
  [15, 148, 6.24, 16.05],
  [0, 20, 0, 16.11],
  [1, 29, 0.61, 17.18],
])('wilson of %i in %i matches the published interval', (hits, tries, low, high) => {
  const interval = wilson(hits, tries)?.map((percent) => Number(percent.toFixed(2)));
  expect(interval).toEqual([low, high]);
});

test('wilson of all tries reaches up to 100%', () => {
  expect(wilson(20, 20)?.[1]).toBe(100);
  expect(wilson(20, 20)?.[0]).toBeCloseTo(100 - 16.11, 2);
});

test.each([
  [0, 0],
  [3, 2],
])('wilson of %i in %i is undefined', (hits, tries) => expect(wilson(hits, tries)).toBeUndefined());
