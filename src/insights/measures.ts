import { dollars, wholeNumber } from '../admin/format.ts';
import type { Line } from '../theme/line.ts';

/** The four figures the dashboard follows, in its order and colours. */
export const measures = [
  { of: 'pageViews', name: 'Page Views', line: 'blue', text: wholeNumber },
  { of: 'ctaClicks', name: 'CTA Clicks', line: 'red', text: wholeNumber },
  { of: 'conversions', name: 'Conversions', line: 'green', text: wholeNumber },
  { of: 'revenue', name: 'Revenue', text: dollars },
] as const satisfies readonly {
  of: string;
  name: string;
  line?: Line;
  text: (n: number) => string;
}[];

export type Measure = (typeof measures)[number];
