export type Point = readonly [x: number, y: number];

/**
 * A smooth line through `points` (Catmull-Rom), as one SVG path for each stretch of `length`
 * segments. Coordinates are multiples of `grid` and relative, to keep the page small.
 */
export function smoothPaths(
  points: Point[],
  { length = points.length, grid = 1 }: { length?: number; grid?: number } = {},
): string[] {
  const paths: string[] = [];
  for (let from = 0; from < points.length - 1; from += length) {
    paths.push(stretch(points, { from, to: Math.min(from + length, points.length - 1), grid }));
  }
  return paths;
}

function stretch(
  points: Point[],
  { from, to, grid }: { from: number; to: number; grid: number },
): string {
  const rounded = ([x, y]: Point): Point => [
    Math.round(x / grid) * grid,
    Math.round(y / grid) * grid,
  ];
  const relative = (p: Point, pen: Point) => rounded([p[0] - pen[0], p[1] - pen[1]]).join(' ');
  let pen = rounded(at(points, from));
  let path = `M${pen.join(' ')}`;
  for (let i = from; i < to; i++) {
    const end = at(points, i + 1);
    // Later segments use `s`, whose first control point mirrors the one before it.
    const first = i === from ? [controlPoint(points, i, 1)] : [];
    const drawn = [...first, controlPoint(points, i + 1, -1), end];
    path += (i === from ? 'c' : 's') + drawn.map((p) => relative(p, pen)).join(' ');
    pen = rounded(end);
  }
  return path.replaceAll(' -', '-');
}

/** The control point of point `index`: before it for `sign` -1, after it for 1. */
function controlPoint(points: Point[], index: number, sign: 1 | -1): Point {
  const [x, y] = at(points, index);
  const [before, after] = [at(points, index - 1), at(points, index + 1)];
  return [x + (sign * (after[0] - before[0])) / 6, y + (sign * (after[1] - before[1])) / 6];
}

/** The point at `index`, clamped to the ends of the line. */
function at(points: Point[], index: number): Point {
  return points[Math.max(0, Math.min(points.length - 1, index))] ?? [0, 0];
}
