import { describe, expect, it } from 'vitest';
import { type Random, seeded } from '../../server/contract/sample/seeded.ts';
import { compareCounts, compareRevenue, quantileOf, spreadOf } from './statistics.ts';

describe('compareCounts', () => {
  it.each([
    // The difference is 28; √200 × 1.96 = 27.7.
    [86, 114, 'more'],
    [114, 86, 'fewer'],
    [87, 113, 'alike'],
    // The difference is 200; √20,000 × 1.96 = 277.
    [9900, 10_100, 'alike'],
    [9850, 10_150, 'more'],
    [100, 100, 'alike'],
    // √10 × 1.96 = 6.2.
    [1, 9, 'more'],
    [2, 8, 'alike'],
    [0, 10, 'more'],
    [0, 9, 'tooFew'],
    [4, 5, 'tooFew'],
    [0, 0, 'tooFew'],
  ])('compareCounts of %i before and %i now is %s', (before, now, verdict) =>
    expect(compareCounts(before, now)).toBe(verdict),
  );

  it('compareCounts finds a change by chance one time in twenty', () => {
    // Sums the probabilities of all pairs of Poisson counts with mean 50 that count as a change.
    const mean = 50;
    const probabilities = [Math.exp(-mean)];
    for (let n = 1; n < 150; n += 1) probabilities[n] = ((probabilities[n - 1] ?? 0) * mean) / n;
    let wrong = 0;
    for (const [before, p] of probabilities.entries()) {
      for (const [now, q] of probabilities.entries()) {
        if (compareCounts(before, now) !== 'alike') wrong += p * q;
      }
    }
    expect(wrong).toBeGreaterThan(0.04);
    expect(wrong).toBeLessThan(0.06);
  });
});

describe('spreadOf', () => {
  it('spreadOf is the variance divided by the mean, and raises the threshold of a change', () => {
    // Mean 20, squares 4 × 100: variance 400 / 4 = 100.
    const days = [10, 30, 10, 30, 20];
    expect(spreadOf(days)).toEqual({ dispersion: 5, freedom: 4 });
    expect(spreadOf(days, days)).toEqual({ dispersion: 5, freedom: 8 });
    expect(compareCounts(86, 114, spreadOf(days, days))).toBe('alike');
    expect(compareCounts(60, 140, spreadOf(days, days))).toBe('more');
  });

  it('spreadOf has the degrees of freedom of the period that varies', () => {
    const steady = [20, 20, 20, 20, 20, 20, 20];
    const newsletter = [20, 20, 80, 20, 20, 20, 20];
    for (const periods of [
      [steady, newsletter],
      [newsletter, steady],
    ]) {
      expect(spreadOf(...periods).freedom).toBeCloseTo(6);
      expect(spreadOf(...periods).dispersion).toBeGreaterThan(10);
    }
  });

  it('spreadOf is that of independent visitors for few days and for equal ones', () => {
    const independent = { dispersion: 1, freedom: Infinity };
    expect(spreadOf()).toEqual(independent);
    expect(spreadOf([], [])).toEqual(independent);
    expect(spreadOf([5, 50, 5, 50])).toEqual(independent);
    expect(spreadOf([20, 20, 20, 20, 20, 20])).toEqual(independent);
    expect(spreadOf([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0])).toEqual(independent);
  });
});

describe('quantileOf', () => {
  // From a table of Student's t distribution, two-sided 5%.
  it.each([
    [4, 2.776],
    [5, 2.571],
    [6, 2.447],
    [8, 2.306],
    [12, 2.179],
    [30, 2.042],
    [120, 1.98],
    [Infinity, 1.96],
  ])('quantileOf %d degrees of freedom is %d', (freedom, expected) =>
    expect(Math.abs(quantileOf(freedom) - expected)).toBeLessThan(0.003),
  );
});

describe('arrows', () => {
  const periods = [7, 30, 90].flatMap((days) => [1, 4, 20, 300].map((mean) => ({ days, mean })));

  it.each(periods)(
    'arrows claim at most 10% changes by chance in $days days of about $mean, and 5% in steady traffic',
    (period) => {
      for (const kind of Object.keys(traffic)) {
        const most = kind === 'steady' ? 5 : 10;
        expect(claims(kind, period), kind).toBeLessThanOrEqual(most);
      }
    },
  );

  it.each(Object.keys(traffic))(
    'arrows find a doubled level over 30 days of %s traffic',
    (kind) => {
      const found = (mean: number) => claims(kind, { days: 30, mean, growth: 2, runs: 500 });
      expect(found(4)).toBeGreaterThan(80);
      expect(found(20)).toBeGreaterThan(90);
    },
  );
});

interface Run {
  /** Length of each of the two periods. */
  days: number;
  /** Events on an ordinary day. */
  mean: number;
  /** The level of the second period. */
  growth?: number;
  runs?: number;
}

/** The factor of each day's mean, over both periods. */
const traffic: Record<string, (random: Random, days: number) => (day: number) => number> = {
  steady: () => () => 1,
  'weekend-halved': (random) => {
    const first = Math.floor(7 * random());
    return (day) => ((day + first) % 7 < 2 ? 0.5 : 1);
  },
  // A gamma distribution: the standard deviation is 71% of the mean.
  overdispersed: (random) => () => -Math.log((1 - random()) * (1 - random())) / 2,
  'newsletter (×3)': newsletter(3),
  'newsletter (×8)': newsletter(8),
  'newsletter (×4, ×2)': newsletter(4, 2),
};

/** A newsletter on a random day, which multiplies the events of that day and of those after it. */
function newsletter(...factors: number[]) {
  return (random: Random, days: number) => {
    const sent = Math.floor(days * random());
    return (day: number) => factors[day - sent] ?? 1;
  };
}

/** The share of claims, in percent. */
function claims(kind: string, { days, mean, growth = 1, runs = 2000 }: Run): number {
  const random = seeded('2026');
  let claimed = 0;
  for (let run = 0; run < runs; run += 1) {
    const factorOf = traffic[kind]?.(random, 2 * days) ?? (() => 1);
    const all = Array.from({ length: 2 * days }, (_, day) =>
      poisson(random, mean * factorOf(day) * (day < days ? 1 : growth)),
    );
    const [before, now] = [all.slice(0, days), all.slice(days)];
    const total = (list: number[]) => list.reduce((sum, n) => sum + n, 0);
    const verdict = compareCounts(total(before), total(now), spreadOf(before, now));
    if (verdict === 'more' || verdict === 'fewer') claimed += 1;
  }
  return (100 * claimed) / runs;
}

/** A Poisson count; from 40 on, of the normal distribution. */
function poisson(random: Random, mean: number): number {
  if (mean > 40) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const end = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > end; product *= random()) count += 1;
  return count;
}

describe('compareRevenue', () => {
  it.each([
    ['more', 900, 1800, 'more'],
    ['more', 1800, 900, 'alike'],
    ['fewer', 1800, 900, 'fewer'],
    ['fewer', 900, 1800, 'alike'],
    // One large sale in either period.
    ['alike', 970, 9700, 'alike'],
    ['alike', 9700, 970, 'alike'],
    ['tooFew', 0, 5000, 'tooFew'],
  ] as const)(
    'compareRevenue with sales that are %s, %i before and %i now is %s',
    (sales, before, now, verdict) => expect(compareRevenue(sales, before, now)).toBe(verdict),
  );
});
