/** The normal distribution has 95 % of itself within so many standard deviations. */
const z = 1.959964;

/**
 * Between which rates, in percent, the true one lies when `hits` of `tries` came out: Wilson's score
 * interval, right 19 times of 20 and also for few tries. Undefined where there is no rate: without
 * tries, or with more hits than tries.
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
