/**
 * Whether a change between two periods of equal length is one, or what chance does by itself.
 *
 * Visitors come, click and buy independently of each other, so a count is a Poisson one: of a period
 * that holds `n`, the next one holds `n` give or take about √n, without anything having changed. The
 * difference of two such counts has the variance `before + now`. It is taken for a change when it is
 * beyond 1.96 of its standard deviations, which chance alone does one time in twenty.
 *
 * Of fewer than ten in both periods together nothing is said: there the normal distribution is no
 * good stand-in, and 0 against 4 would pass for a change.
 */
export type Verdict = 'more' | 'fewer' | 'alike' | 'tooFew';

const deviations = 1.96;
const fewest = 10;

/** What to make of two counts, of as long a time each. */
export const verdictOnCounts = (before: number, now: number): Verdict =>
  verdict({ events: before + now, difference: now - before, variance: before + now });

/** An amount of money, and the number of sales it comes from. */
export interface Takings {
  sales: number;
  sum: number;
}

/**
 * What to make of two sums of money. A sum of `sales` amounts that are alike has the variance
 * `sum² / sales`; `spread` is how many times that is, since they are not (see `spreadOf`). With one
 * price for everything the answer is that on the numbers of sales.
 */
export function verdictOnTakings({
  before,
  now,
  spread,
}: {
  before: Takings;
  now: Takings;
  spread: number;
}): Verdict {
  const varianceOf = ({ sales, sum }: Takings) => (sales > 0 ? sum ** 2 / sales : 0);
  return verdict({
    events: before.sales + now.sales,
    difference: now.sum - before.sum,
    variance: spread * (varianceOf(before) + varianceOf(now)),
  });
}

/**
 * How much wider the sum of these days' takings varies than one of equal amounts, by how the days
 * differ: one large sale among small ones is luck rather than a trend. At least 1.
 */
export function spreadOf(days: readonly Takings[]): number {
  const total = (of: (day: Takings) => number) => days.reduce((sum, day) => sum + of(day), 0);
  const [sales, sum] = [total((day) => day.sales), total((day) => day.sum)];
  if (days.length < 2 || sales === 0 || sum === 0) return 1;
  const mean = sum / days.length;
  const squares = total((day) => (day.sum - mean) ** 2);
  const variance = (squares * days.length) / (days.length - 1);
  return Math.max(1, variance / (sum ** 2 / sales));
}

function verdict({
  events,
  difference,
  variance,
}: {
  events: number;
  difference: number;
  variance: number;
}): Verdict {
  if (events < fewest) return 'tooFew';
  if (Math.abs(difference) <= deviations * Math.sqrt(variance)) return 'alike';
  return difference > 0 ? 'more' : 'fewer';
}
