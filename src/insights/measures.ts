import { useContext } from 'react';
import { formatNumber } from '../../server/contract/numbers.ts';
import { Currency, useMoney } from '../admin/currency.ts';
import type { Figures } from '../admin/report.ts';
import type { Line } from '../theme/page-css.ts';

/** The four figures the dashboard follows, in its order and colours, and the rows that each counts. */
export const measures = [
  { key: 'pageViews', name: 'Page Views', line: 'blue', rows: 'page_view' },
  { key: 'ctaClicks', name: 'CTA Clicks', line: 'red', rows: 'cta_click' },
  { key: 'conversions', name: 'Conversions', line: 'green', rows: 'sale' },
  { key: 'revenue', name: 'Revenue', rows: 'sale' },
] as const satisfies readonly {
  key: string;
  name: string;
  line?: Line;
  rows: 'page_view' | 'cta_click' | 'sale';
}[];

export type Measure = (typeof measures)[number];

/** The figures of a time. */
export type Measured = Record<Measure['key'], number>;

/** The figures of each whole day of a time. Its first and its last day, which it cuts, are one together. */
export function wholeDays(days: readonly (Measured & { isWhole: boolean })[]): Measured[] {
  const whole = days.filter(({ isWhole }) => isWhole);
  const [first, last] = days.filter(({ isWhole }) => !isWhole);
  if (!first || !last) return whole;
  const both = Object.fromEntries(measures.map(({ key }) => [key, first[key] + last[key]]));
  return [...whole, both as Measured];
}

/** The value of a measure in a summary, which names revenue `totalRevenue`. */
export const figureOf = (figures: Figures, { key }: Measure): number =>
  key === 'revenue' ? figures.totalRevenue : figures[key];

/** Returns the function that writes a value of a measure. */
export function useFigures(): (measure: Measure, value: number) => string {
  const money = useMoney();
  return ({ key }, value) => (key === 'revenue' ? money : formatNumber)(value);
}

/** Returns the function that writes a value of a measure at an axis: `$2K`. */
export function useAxisFormat({ key }: Measure): (value: number) => string {
  const currency = useContext(Currency);
  return new Intl.NumberFormat('en-US', {
    notation: 'compact',
    ...(key === 'revenue' && { style: 'currency', currency, minimumFractionDigits: 0 }),
    // Yen have no decimals, but ¥1.5K has one.
    maximumFractionDigits: 2,
  }).format;
}
