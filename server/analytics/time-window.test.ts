import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hourMs } from '../time/units.ts';
import { splitWindow } from './time-window.ts';

const moment = fc.integer({ min: -5 * hourMs, max: 5 * hourMs });

it('parts of a window cover it once, and only its ends are no whole hours', () => {
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      const window = { from: Math.min(a, b), to: Math.max(a, b) };
      const { hours, rest } = splitWindow(window);
      const parts = [...hours, ...rest].sort((one, other) => one.from - other.from);
      expect(parts.every(({ from, to }) => from < to)).toBe(true);
      expect([parts[0]?.from ?? window.to, parts.at(-1)?.to ?? window.from]).toEqual(
        parts.length === 0 ? [window.to, window.from] : [window.from, window.to],
      );
      for (const [i, { from }] of parts.slice(1).entries()) expect(from).toBe(parts[i]?.to);
      for (const { from, to } of hours)
        expect([from % hourMs, to % hourMs].map(Math.abs)).toEqual([0, 0]);
      for (const { from, to } of rest) expect(to - from).toBeLessThan(2 * hourMs);
      if (hours.length > 0) for (const { from, to } of rest) expect(to - from).toBeLessThan(hourMs);
    }),
  );
});

it('an empty or reversed window has no parts', () => {
  expect(splitWindow({ from: 5, to: 5 })).toEqual({ hours: [], rest: [] });
  expect(splitWindow({ from: 9 * hourMs, to: 5 })).toEqual({ hours: [], rest: [] });
});
