import { useMoney } from '../admin/currency.ts';
import { wholeNumber } from '../admin/format.ts';
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

/** The value of a measure in a summary, which names revenue `totalRevenue`. */
export const figureOf = (figures: Figures, { key }: Measure): number =>
  key === 'revenue' ? figures.totalRevenue : figures[key];

/** Returns the function that writes a value of a measure. */
export function useFigures(): (measure: Measure, value: number) => string {
  const money = useMoney();
  return ({ key }, value) => (key === 'revenue' ? money : wholeNumber)(value);
}
