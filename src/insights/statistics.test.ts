import { describe, expect, it } from 'vitest';
import { compareCounts, compareRevenue, dispersionOf } from './statistics.ts';

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

describe('dispersionOf', () => {
  it('dispersionOf is the variance divided by the mean, and raises the threshold of a change', () => {
    // Mean 20, squares 4 × 100: variance 400 / 4 = 100.
    expect(dispersionOf([10, 30, 10, 30, 20])).toBe(5);
    expect(compareCounts(86, 114, 5)).toBe('alike');
    expect(compareCounts(60, 140, 5)).toBe('more');
  });

  it('dispersionOf is at least 1, and 1 for fewer than five days', () => {
    expect(dispersionOf([])).toBe(1);
    expect(dispersionOf([5, 50, 5, 50])).toBe(1);
    expect(dispersionOf([20, 20, 20, 20, 20, 20])).toBe(1);
    expect(dispersionOf([0, 0, 0, 0, 0, 0])).toBe(1);
  });

  it('dispersionOf keeps weekends from counting as a change', () => {
    const week = [100, 100, 100, 100, 100, 30, 30];
    const month = (from: number) => Array.from({ length: 30 }, (_, i) => week[(from + i) % 7] ?? 0);
    const total = (days: number[]) => days.reduce((sum, n) => sum + n, 0);
    for (let from = 0; from < 7; from++) {
      const [before, now] = [month(from), month(from + 30)];
      expect(compareCounts(total(before), total(now), dispersionOf(now))).toBe('alike');
    }
  });
});

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
