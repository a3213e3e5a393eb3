/** Round numbers, of which one is just above any other. */
const ends = [2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20];

/** The marks of a scale that reaches up to `most`: none, the half and the end, all of them whole. */
export function marksUpTo(most: number): [number, number, number] {
  let tens = 1;
  while (most > 20 * tens) tens *= 10;
  const end = ends.map((end) => end * tens).find((end) => end % 2 === 0 && most <= end);
  const top = end ?? 20 * tens;
  return [0, top / 2, top];
}
