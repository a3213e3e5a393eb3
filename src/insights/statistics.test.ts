import { describe, expect, it } from 'vitest';
import { compareCounts, compareRevenue, spreadOf } from './statistics.ts';

describe('two counts', () => {
  it.each([
    // 28 apart, and √200 × 1.96 = 27.7.
    [86, 114, 'more'],
    [114, 86, 'fewer'],
    [87, 113, 'alike'],
    // 200 apart, and √20,000 × 1.96 = 277: two percent more of ten thousand is nothing.
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
  ])('%i before and %i now: %s', (before, now, verdict) =>
    expect(compareCounts(before, now)).toBe(verdict),
  );

  it('differ by chance one time in twenty', () => {
    // The exact distribution of two Poisson counts of mean 50, each pair weighed by how likely it is.
    const mean = 50;
    const chance = [Math.exp(-mean)];
    for (let n = 1; n < 150; n += 1) chance[n] = ((chance[n - 1] ?? 0) * mean) / n;
    let wrong = 0;
    for (const [before, p] of chance.entries()) {
      for (const [now, q] of chance.entries()) {
        if (compareCounts(before, now) !== 'alike') wrong += p * q;
      }
    }
    expect(wrong).toBeGreaterThan(0.04);
    expect(wrong).toBeLessThan(0.06);
  });
});

describe('days that differ', () => {
  it('widen what chance does, by variance over mean', () => {
    // Mean 20, squares 4 × 100: variance 400 / 4 = 100.
    expect(spreadOf([10, 30, 10, 30, 20])).toBe(5);
    expect(compareCounts(86, 114, 5)).toBe('alike');
    expect(compareCounts(60, 140, 5)).toBe('more');
  });

  it('never narrow it, and too few of them say nothing', () => {
    expect(spreadOf([])).toBe(1);
    expect(spreadOf([5, 50, 5, 50])).toBe(1);
    expect(spreadOf([20, 20, 20, 20, 20, 20])).toBe(1);
    expect(spreadOf([0, 0, 0, 0, 0, 0])).toBe(1);
  });

  it('let weekends pass for no trend', () => {
    const rhythm = [100, 100, 100, 100, 100, 30, 30];
    const month = (from: number) =>
      Array.from({ length: 30 }, (_, i) => rhythm[(from + i) % 7] ?? 0);
    const total = (days: number[]) => days.reduce((sum, n) => sum + n, 0);
    for (let from = 0; from < 7; from++) {
      const [before, now] = [month(from), month(from + 30)];
      expect(compareCounts(total(before), total(now), spreadOf(now))).toBe('alike');
    }
  });
});

describe('two sums of money', () => {
  it.each([
    ['more', 900, 1800, 'more'],
    ['more', 1800, 900, 'alike'],
    ['fewer', 1800, 900, 'fewer'],
    ['fewer', 900, 1800, 'alike'],
    // One lucky sale, in either period.
    ['alike', 970, 9700, 'alike'],
    ['alike', 9700, 970, 'alike'],
    ['tooFew', 0, 5000, 'tooFew'],
  ] as const)('of sales that are %s, %i before and %i now: %s', (sales, before, now, verdict) =>
    expect(compareRevenue(sales, before, now)).toBe(verdict),
  );
});
