/**
 * Whether a change between two periods of equal length is one, or what chance does by itself.
 *
 * Were every visitor to come independently of all others, a count would be a Poisson one, and the
 * difference of two would have the variance `before + now`. Days differ by more than that, weekends
 * from weekdays and a day of a newsletter from the next, so it is widened by how much they do
 * (`spreadOf`). A difference is taken for a change when it is beyond 1.96 of its standard deviations.
 *
 * Of fewer than ten in both periods together nothing is said: there the normal distribution is no
 * good stand-in, and 0 against 4 would pass for a change.
 */
export type Verdict = 'more' | 'fewer' | 'alike' | 'tooFew';

const deviations = 1.96;
const fewest = 10;

/** Fewer days say nothing of how days differ. */
const fewestDays = 5;

/** What to make of two counts, of as long a time each. */
export function compareCounts(before: number, now: number, spread = 1): Verdict {
  if (before + now < fewest) return 'tooFew';
  const deviation = Math.sqrt(spread * (before + now));
  if (Math.abs(now - before) <= deviations * deviation) return 'alike';
  return now > before ? 'more' : 'fewer';
}

/**
 * What to make of two sums of money, by the verdict on the sales they are of. One large sale makes a
 * sum larger and is no trend, so a sum has changed only where the number of sales has, the same way.
 */
export function compareRevenue(sales: Verdict, before: number, now: number): Verdict {
  if (sales === 'more') return now > before ? 'more' : 'alike';
  if (sales === 'fewer') return now < before ? 'fewer' : 'alike';
  return sales;
}

/** How much more these days differ than Poisson counts would: variance by mean, 1 at least. */
export function spreadOf(days: readonly number[]): number {
  const mean = days.reduce((sum, n) => sum + n, 0) / days.length;
  if (days.length < fewestDays || mean === 0) return 1;
  const squares = days.reduce((sum, n) => sum + (n - mean) ** 2, 0);
  return Math.max(1, squares / (days.length - 1) / mean);
}
