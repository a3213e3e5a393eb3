import { expect, it } from 'vitest';
import { wholeDays } from './measures.ts';

const day = (pageViews: number, isWhole = true) => ({
  ...{ pageViews, ctaClicks: 1, conversions: 2, revenue: 3, isWhole },
});
const views = (days: Parameters<typeof wholeDays>[0]) =>
  wholeDays(days).map(({ pageViews }) => pageViews);

it('the first and the last day of a period, which it cuts, count as one', () => {
  expect(views([day(5, false), day(20), day(22), day(160, false)])).toEqual([20, 22, 165]);
  expect(wholeDays([day(5, false), day(1, false)])).toEqual([
    { pageViews: 6, ctaClicks: 2, conversions: 4, revenue: 6 },
  ]);
});

it('a single cut day is left out', () => {
  expect(views([day(20), day(22), day(3, false)])).toEqual([20, 22]);
  expect(views([])).toEqual([]);
});
