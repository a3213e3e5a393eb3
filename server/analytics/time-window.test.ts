import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitWindow, widths } from './time-window.ts';

const timestamp = fc.integer({ min: -(2 ** 40), max: 2 ** 42 });

it('a window is divided into aligned spans that cover it once', () => {
  fc.assert(
    fc.property(timestamp, timestamp, (a, b) => {
      const window = { from: Math.min(a, b), to: Math.max(a, b) };
      const spans = splitWindow(window);
      expect(spans.length).toBeLessThanOrEqual(2 * widths.length + 1);
      let reached = window.from;
      for (const { from, to, width } of spans) {
        expect(from).toBe(reached);
        expect(to).toBeGreaterThan(from);
        if (width > 0) expect([from % width, to % width].map(Math.abs)).toEqual([0, 0]);
        else expect(to - from).toBeLessThan(2 * widths[0]);
        reached = to;
      }
      expect(reached).toBe(window.from === window.to ? window.from : window.to);
    }),
  );
});

it('a window that ends before it starts has no spans', () => {
  expect(splitWindow({ from: 5, to: 5 })).toEqual([]);
  expect(splitWindow({ from: 6, to: 5 })).toEqual([]);
});
