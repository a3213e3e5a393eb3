/** The z-score of a 95% confidence level. */
const z = 1.959964;

/**
 * The 95% Wilson score interval of `hits` in `tries`, in percent; accurate for small samples too.
 * Undefined without tries or with more hits than tries.
 */
export function wilson(hits: number, tries: number): [low: number, high: number] | undefined {
  if (tries <= 0 || hits < 0 || hits > tries) return undefined;
  const rate = hits / tries;
  const weight = z ** 2 / tries;
  const centre = rate + weight / 2;
  const reach = z * Math.sqrt((rate * (1 - rate)) / tries + weight / tries / 4);
  const percent = (n: number) => Math.min(100, Math.max(0, (100 * n) / (1 + weight)));
  return [percent(centre - reach), percent(centre + reach)];
}
