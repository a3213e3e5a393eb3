import { expect, test } from 'vitest';
import { smoothPaths } from './curve.ts';
import { directionOf, initialsOf } from './monogram.tsx';
import { settlingLines } from './settle.ts';
import { plan, tangle } from './tangle.ts';

const lines = ['blue', 'blue', 'red', 'green', 'green'] as const;

test('tangle is deterministic for a seed and differs between seeds', () => {
  expect(tangle(lines, 8)).toEqual(tangle(lines, 8));
  expect(tangle(lines, 9)).not.toEqual(tangle(lines, 8));
});

test('every strand has its stretches and ends level at its own height', () => {
  const strands = tangle(lines, 8);
  expect(strands.map(({ knot }) => knot.length)).toEqual(lines.map(() => plan.stretches));
  expect(strands.map(({ y }) => y)).toEqual([56, 138, 220, 302, 384]);
  for (const { track } of strands) expect(track).toMatch(/H2400$/);
});

test('no stretch is longer than the dash that animates it', () => {
  for (const { knot } of tangle(lines, 8)) {
    for (const stretch of knot) expect(maxLength(stretch)).toBeLessThan(plan.longest);
  }
});

test('a smooth path has one command per segment, with integer coordinates', () => {
  const [path] = smoothPaths([
    [0, 0],
    [10, 20],
    [30, -5],
    [60, 0],
  ]);
  expect(path).toMatch(/^M0 0c[-\d ]+s[-\d ]+s[-\d ]+$/);
});

test('the lines of the four steps start at one point and end in parallel', () => {
  const paths = settlingLines(4);
  for (const { d } of paths) expect(d).toMatch(/^M14 50c.*H3000$/);
  expect(new Set(paths.map(({ line }) => line)).size).toBe(3);
});

test('a monogram has the initials of the first and last name and a stable direction', () => {
  expect(initialsOf('Maya Sample')).toBe('MS');
  expect(initialsOf('  Ann van der Berg ')).toBe('AB');
  expect(initialsOf('Cher')).toBe('C');
  expect(initialsOf('')).toBe('');
  expect(directionOf('Maya Sample')).toBe(directionOf('Maya Sample'));
});

/** An upper bound for the length of a path: the length of its control polygon. */
function maxLength(path: string): number {
  let length = 0;
  let mirrored = [0, 0];
  for (const [, command, text = ''] of path.matchAll(/([cs])([-\d ]+)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e, f] = (text.match(/-?\d+/g) ?? []).map(Number);
    const [x1 = 0, y1 = 0, x2, y2, x, y] =
      command === 'c' ? [a, b, c, d, e ?? 0, f ?? 0] : [...mirrored, a, b, c, d];
    const [dx = 0, dy = 0, ex = 0, ey = 0] = [x2, y2, x, y];
    length += Math.hypot(x1, y1) + Math.hypot(dx - x1, dy - y1) + Math.hypot(ex - dx, ey - dy);
    mirrored = [ex - dx, ey - dy];
  }
  return length;
}
