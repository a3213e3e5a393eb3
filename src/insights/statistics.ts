/**
 * Tests whether the change between two periods of equal length is statistically significant.
 *
 * For independent visitors a count is Poisson distributed, and the difference of two counts has the
 * variance `before + now`. Real days are overdispersed (weekends, newsletters), so the variance is
 * scaled by the dispersion (`dispersionOf`). A difference beyond 1.96 standard deviations is a change.
 *
 * Below ten events in both periods together the result is `tooFew`: the normal approximation is
 * poor there, and 0 against 4 would count as a change.
 */
export type Verdict = 'more' | 'fewer' | 'alike' | 'tooFew';

const zScore = 1.96;
const minEvents = 10;

/** The minimum number of days for an estimate of the dispersion. */
const minDays = 5;

/** Compares two counts of periods of equal length. */
export function compareCounts(before: number, now: number, dispersion = 1): Verdict {
  if (before + now < minEvents) return 'tooFew';
  const standardDeviation = Math.sqrt(dispersion * (before + now));
  if (Math.abs(now - before) <= zScore * standardDeviation) return 'alike';
  return now > before ? 'more' : 'fewer';
}

/**
 * Compares two revenues by the verdict on their sales. One large sale is not a trend, so revenue
 * changes only when the number of sales changes in the same direction.
 */
export function compareRevenue(sales: Verdict, before: number, now: number): Verdict {
  if (sales === 'more') return now > before ? 'more' : 'alike';
  if (sales === 'fewer') return now < before ? 'fewer' : 'alike';
  return sales;
}

/** The dispersion of daily counts: variance divided by mean, at least 1. */
export function dispersionOf(days: readonly number[]): number {
  const mean = days.reduce((sum, n) => sum + n, 0) / days.length;
  if (days.length < minDays || mean === 0) return 1;
  const squares = days.reduce((sum, n) => sum + (n - mean) ** 2, 0);
  return Math.max(1, squares / (days.length - 1) / mean);
}
