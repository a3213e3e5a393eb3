import { dollars, wholeNumber } from '../admin/format.ts';
import type { Line } from '../theme/page-css.ts';

/** The four figures the dashboard follows, in its order and colours. */
export const measures = [
  { key: 'pageViews', name: 'Page Views', line: 'blue', text: wholeNumber },
  { key: 'ctaClicks', name: 'CTA Clicks', line: 'red', text: wholeNumber },
  { key: 'conversions', name: 'Conversions', line: 'green', text: wholeNumber },
  { key: 'revenue', name: 'Revenue', text: dollars },
] as const satisfies readonly {
  key: string;
  name: string;
  line?: Line;
  text: (n: number) => string;
}[];

export type Measure = (typeof measures)[number];
