/** The geometry of the hero's drawing: five knotted strands that leave one interchange as tracks. */
import type { Line } from '../../theme/line.ts';
import { type Point, smoothPaths } from './curve.ts';
import { random } from './random.ts';

export interface Strand {
  line: Line;
  /** Paths of the knotted part, split so that strands can be drawn over and under each other. */
  knot: string[];
  /** Path of the straight part, from the interchange to beyond the picture. */
  track: string;
  /** Height of the track at its station. */
  y: number;
}

/** Dimensions of the drawing, in SVG units. */
export const plan = {
  width: 640,
  height: 440,
  interchange: 324,
  station: 536,
  stretches: 4,
  /** Upper bound for the length of a stretch: the length of the dash that animates it (`theme.ts`). */
  longest: 500,
  gap: 12,
  /** Coordinates of the knot are rounded to multiples of this, as are the interchange and the gap. */
  grid: 4,
} as const;

const middle = plan.height / 2;
const knot = { x: 140, rx: 146, ry: 184 };
const spread = 82;

/** Strands for `lines`, from the top track to the bottom one; deterministic for a seed. */
export function tangle(lines: readonly Line[], seed: number): Strand[] {
  const next = random(seed);
  return lines.map((line, i) => {
    const offset = i - (lines.length - 1) / 2;
    const y = middle + offset * spread;
    const points = wander(next, middle + offset * plan.gap);
    return {
      line,
      knot: smoothPaths(points, {
        length: Math.ceil((points.length - 1) / plan.stretches),
        grid: plan.grid,
      }),
      track: track(middle + offset * plan.gap, y),
      y,
    };
  });
}

/** Points of random loops around a drifting centre, which leave to the right at height `exit`. */
function wander(next: () => number, exit: number): Point[] {
  const loops: Point[] = [];
  const turn = next() < 0.5 ? -1 : 1;
  // Built backwards: the last loop has to head to the right.
  let angle = -turn * (1.75 + 0.5 * next());
  let drift = 0;
  for (let i = 0; i < 6; i++) {
    const reach = 0.36 + 0.64 * next();
    loops.unshift([
      knot.x - 7 * i + 28 + Math.cos(angle) * knot.rx * reach,
      middle + drift + Math.sin(angle) * knot.ry * reach,
    ]);
    angle -= turn * (1.15 + 0.65 * next());
    drift = Math.max(-36, Math.min(36, drift + 70 * (next() - 0.5)));
  }
  const start = plan.interchange - 24;
  return [...loops, [start - 46, exit + (exit - middle) * 0.5], [start, exit], [start + 24, exit]];
}

/** A path that is level, diagonal at 45 degrees, then level again, as on a transit map. */
function track(from: number, to: number): string {
  const start = plan.interchange - 24;
  const rise = to - from;
  const run = Math.abs(rise);
  const leave = plan.interchange + 34 + (136 - run) * 0.1;
  const bend = 14;
  const s = Math.sign(rise);
  if (!s) return `M${start} ${from}H2400`;
  const d = Math.round(bend * 0.7);
  return [
    `M${start} ${from}H${Math.round(leave - bend)}q${bend} 0 ${bend + d} ${s * d}`,
    `l${Math.round(run - 2 * d)} ${Math.round(s * (run - 2 * d))}`,
    `q${d} ${s * d} ${d + bend} ${s * d}H2400`,
  ].join('');
}
