/**
 * Tests whether the change between two periods of equal length is statistically significant, at 5%.
 *
 * For independent visitors a count is Poisson distributed, and the difference of two counts has the
 * variance `before + now`. Real days are overdispersed (weekends, newsletters), so the variance is
 * scaled by the dispersion of the days of both periods (`spreadOf`), by Welch's t-test: a newsletter in one
 * period widens only the spread of that one, and the pooled test claims too many changes of a week.
 *
 * Below ten events in both periods together the result is `tooFew`: the normal approximation is
 * poor there, and 0 against 4 would count as a change.
 */
export type Verdict = 'more' | 'fewer' | 'alike' | 'tooFew';

/** How much daily counts vary. */
export interface Spread {
  /** Variance divided by mean, at least 1. */
  dispersion: number;
  /** The degrees of freedom of that estimate. */
  freedom: number;
}

const independent: Spread = { dispersion: 1, freedom: Infinity };

const minEvents = 10;

/** The minimum degrees of freedom for an estimate of the spread. */
const minFreedom = 4;

/** Compares two counts of periods of equal length. */
export function compareCounts(
  before: number,
  now: number,
  { dispersion, freedom } = independent,
): Verdict {
  if (before + now < minEvents) return 'tooFew';
  const standardDeviation = Math.sqrt(dispersion * (before + now));
  if (Math.abs(now - before) <= quantileOf(freedom) * standardDeviation) return 'alike';
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

/** The spread of daily counts within each of these periods of about the same length. */
export function spreadOf(...periods: (readonly number[])[]): Spread {
  const samples = periods
    .filter(({ length }) => length > 1)
    .map((days) => {
      const mean = sum(days) / days.length;
      const freedom = days.length - 1;
      return { mean, freedom, variance: sum(days.map((n) => (n - mean) ** 2)) / freedom };
    });
  const total = (key: 'mean' | 'freedom' | 'variance') => sum(samples.map((one) => one[key]));
  const variance = total('variance');
  if (total('freedom') < minFreedom || variance === 0) return independent;
  return {
    dispersion: Math.max(1, variance / total('mean')),
    freedom: variance ** 2 / sum(samples.map((one) => one.variance ** 2 / one.freedom)),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

/** The 97.5% quantile of Student's t, to 0.003 from four degrees of freedom on (Cornish-Fisher expansion). */
export const quantileOf = (freedom: number): number =>
  1.96 + 2.372 / freedom + 2.822 / freedom ** 2 + 2.556 / freedom ** 3 + 1.59 / freedom ** 4;
