import { describe, expect, it, test } from 'vitest';
import { spreadOf, verdictOnCounts, verdictOnTakings } from './statistics.ts';

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
    expect(verdictOnCounts(before, now)).toBe(verdict),
  );

  it('differ by chance one time in twenty', () => {
    // The exact distribution of two Poisson counts of mean 50, each pair weighed by how likely it is.
    const mean = 50;
    const chance = [Math.exp(-mean)];
    for (let n = 1; n < 150; n += 1) chance[n] = ((chance[n - 1] ?? 0) * mean) / n;
    let wrong = 0;
    for (const [before, p] of chance.entries()) {
      for (const [now, q] of chance.entries()) {
        if (verdictOnCounts(before, now) !== 'alike') wrong += p * q;
      }
    }
    expect(wrong).toBeGreaterThan(0.04);
    expect(wrong).toBeLessThan(0.06);
  });
});

describe('two sums of money', () => {
  const at = (price: number, sales: number) => ({ sales, sum: price * sales });

  it.each([
    [86, 114],
    [87, 113],
    [114, 86],
    [4, 5],
  ])('at one price are judged as the numbers of sales, %i and %i', (before, now) => {
    const takings = { before: at(97, before), now: at(97, now), spread: 1 };
    expect(verdictOnTakings(takings)).toBe(verdictOnCounts(before, now));
  });

  it('rise with the price alone', () => {
    expect(verdictOnTakings({ before: at(97, 50), now: at(197, 50), spread: 1 })).toBe('more');
  });

  it('do not rise by one lucky sale', () => {
    const days = Array.from({ length: 30 }, (_, i) => ({ sales: 1, sum: i === 7 ? 5000 : 97 }));
    const now = { sales: 30, sum: 29 * 97 + 5000 };
    const before = at(97, 30);
    expect(verdictOnTakings({ before, now, spread: 1 })).toBe('more');
    expect(verdictOnTakings({ before, now, spread: spreadOf(days) })).toBe('alike');
  });

  it('are nothing to judge while nothing was sold', () => {
    expect(verdictOnTakings({ before: at(0, 0), now: at(0, 0), spread: 1 })).toBe('tooFew');
    expect(verdictOnTakings({ before: at(0, 20), now: at(0, 20), spread: 1 })).toBe('alike');
  });
});

test('the spread of days is never below that of equal amounts', () => {
  expect(spreadOf([])).toBe(1);
  expect(spreadOf([{ sales: 3, sum: 291 }])).toBe(1);
  expect(spreadOf(Array.from({ length: 7 }, () => ({ sales: 1, sum: 97 })))).toBe(1);
  expect(spreadOf([{ sales: 0, sum: 0 }])).toBe(1);
});

test('the spread of days that differ: by hand', () => {
  // Mean 50, squares 2 × 50² and two days: variance 10,000, against 100² / 1 sale.
  const days = [
    { sales: 1, sum: 100 },
    { sales: 0, sum: 0 },
  ];
  expect(spreadOf(days)).toBe(1);
  // The same with four sales on the one day: 10,000 against 100² / 4.
  expect(
    spreadOf([
      { sales: 4, sum: 100 },
      { sales: 0, sum: 0 },
    ]),
  ).toBe(4);
});
