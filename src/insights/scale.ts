/** Candidate scale ends, before multiplication by a power of ten. */
const ends = [2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20];

/** Ticks of an axis for values up to `most`: 0, the middle and the end, all whole numbers. */
export function ticksUpTo(most: number): [number, number, number] {
  let tens = 1;
  while (most > 20 * tens) tens *= 10;
  const end = ends.map((end) => end * tens).find((end) => end % 2 === 0 && most <= end);
  const top = end ?? 20 * tens;
  return [0, top / 2, top];
}
