/** Distances between the lines of an axis, before multiplication by a power of ten. */
const steps = [1, 2, 2.5, 5];

/**
 * The lines of an axis for values up to `most`: three or four from 0 upwards, at round numbers. Counts have
 * whole numbers only.
 */
export function ticksUpTo(most: number, { isCount }: { isCount: boolean }): number[] {
  for (let tens = isCount ? 1 : 0.01; ; tens *= 10) {
    for (const step of steps.map((n) => n * tens)) {
      const last = Math.max(2, Math.ceil(most / step));
      if (last <= 3 && (Number.isInteger(step) || !isCount)) {
        return Array.from({ length: last + 1 }, (_, i) => i * step);
      }
    }
  }
}
