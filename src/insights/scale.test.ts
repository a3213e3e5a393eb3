import { expect, test } from 'vitest';
import { ticksUpTo } from './scale.ts';

test.each([
  [0, [0, 1, 2]],
  [1, [0, 1, 2]],
  [3, [0, 1, 2, 3]],
  [4, [0, 2, 4]],
  [7, [0, 5, 10]],
  [13, [0, 5, 10, 15]],
  [20, [0, 10, 20]],
  [44, [0, 20, 40, 60]],
  [61, [0, 25, 50, 75]],
  [191, [0, 100, 200]],
  [123_456, [0, 50_000, 100_000, 150_000]],
])('an axis of counts up to %s has three or four lines at whole round numbers', (most, ticks) =>
  expect(ticksUpTo(most, { isCount: true })).toEqual(ticks),
);

test.each([
  [0, [0, 0.01, 0.02]],
  [0.5, [0, 0.2, 0.4, 0.6000000000000001]],
  [97, [0, 50, 100]],
  [7, [0, 2.5, 5, 7.5]],
])('an axis of amounts up to %s has lines at round numbers', (most, ticks) =>
  expect(ticksUpTo(most, { isCount: false })).toEqual(ticks),
);
