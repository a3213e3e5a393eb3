import { expect, test } from 'vitest';
import { ticksUpTo } from './scale.ts';

test.each([
  [0, [0, 1, 2]],
  [1, [0, 1, 2]],
  [3, [0, 2, 4]],
  [20, [0, 10, 20]],
  [5, [0, 3, 6]],
  [13, [0, 8, 16]],
  [20.5, [0, 15, 30]],
  [44, [0, 25, 50]],
  [147, [0, 75, 150]],
  [1200, [0, 600, 1200]],
  [123_456, [0, 75_000, 150_000]],
])('ticksUpTo %s ends at a round number', (most, marks) => expect(ticksUpTo(most)).toEqual(marks));
