import type { Line } from '../../theme/line.ts';
import { type Point, smoothPaths } from './curve.ts';
import { random } from './random.ts';

/**
 * Three lines that swing less and less and run in parallel through the last quarter, in a field
 * 1000 long and 100 wide. Deterministic for a seed.
 */
export function settlingLines(seed: number): { line: Line; d: string }[] {
  const next = random(seed);
  return (['blue', 'red', 'green'] as const).map((line, i) => {
    const own = 50 + (i - 1) * 10;
    let side = i % 2 ? 1 : -1;
    const points: Point[] = [[14, 50]];
    for (let x = 60; x < 700; x += 92) {
      const swing = 44 * (1 - x / 740) ** 1.2;
      points.push([x + 24 * next(), own + side * swing * (0.6 + 0.4 * next())]);
      side = -side;
    }
    points.push([760, own], [800, own]);
    return { line, d: `${smoothPaths(points, { grid: 2 })[0]}H3000` };
  });
}
