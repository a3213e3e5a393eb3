import { useMoney } from '../admin/currency.ts';
import { wholeNumber } from '../admin/format.ts';
import type { Line } from '../theme/page-css.ts';

/** The four figures the dashboard follows, in its order and colours. */
export const measures = [
  { key: 'pageViews', name: 'Page Views', line: 'blue' },
  { key: 'ctaClicks', name: 'CTA Clicks', line: 'red' },
  { key: 'conversions', name: 'Conversions', line: 'green' },
  { key: 'revenue', name: 'Revenue' },
] as const satisfies readonly {
  key: string;
  name: string;
  line?: Line;
}[];

export type Measure = (typeof measures)[number];

/** Returns the function that writes a value of a measure. */
export function useFigures(): (measure: Measure, value: number) => string {
  const money = useMoney();
  return ({ key }, value) => (key === 'revenue' ? money : wholeNumber)(value);
}
