/** The words around the four figures. */

import { formatNumber, pluralize } from '../../server/contract/numbers.ts';
import { percent } from '../admin/format.ts';
import type { Figures, Report } from '../admin/report.ts';
import type { Measure } from '../insights/measures.ts';
import { wilson } from './wilson.ts';

/** Whether the figures include page views: those of a button do not. */
const hasViews = (report: Report | undefined) => report?.filter.button === undefined;

/** Whether a measure has a value in a report. */
export const isKnown = ({ key }: Measure, report: Report) =>
  key !== 'pageViews' || hasViews(report);

/** The note below a figure; without a report it has no rate. */
export function noteOf({ key }: Measure, report?: Report): string {
  const rates = hasViews(report) ? report?.figures : undefined;
  const rate = (value: number | undefined, words: string) =>
    value === undefined
      ? `${words[0]?.toUpperCase()}${words.slice(1)}`
      : `${percent(value)} ${words}`;
  switch (key) {
    case 'pageViews':
      return 'Unique landing page visits';
    case 'ctaClicks':
      return rate(rates?.ctaConversionRate, 'click-through rate');
    case 'conversions':
      return [
        rate(rates?.conversionRate, 'conversion rate'),
        ...(report?.otherCurrencies ?? [])
          .filter(({ conversions }) => conversions > 0)
          .map(
            ({ currency, conversions }, i) =>
              `${i === 0 ? pluralize(conversions, 'sale') : formatNumber(conversions)} in ${currency}`,
          ),
      ].join(', ');
    case 'revenue':
      return 'Total beta sales revenue';
  }
}

/** How a figure is counted. */
export function hintOf({ key }: Measure, report?: Report): string {
  switch (key) {
    case 'pageViews':
      return hasViews(report)
        ? 'Visitors counted once a day (UTC)'
        : 'Page views belong to no button';
    case 'ctaClicks':
      return `Visitors who clicked, counted once a day (UTC)${interval(report?.figures, key)}`;
    case 'conversions':
      return `The rate is sales in all currencies per 100 page views${interval(report?.figures, key)}`;
    case 'revenue':
      return `Sales in ${report?.currency ?? 'USD'}, less refunds and lost disputes. Other currencies are not included`;
  }
}

/** The confidence interval of a rate, as a sentence; empty when there is no rate. */
function interval(figures: Figures | undefined, key: 'ctaClicks' | 'conversions'): string {
  const rates = figures && wilson(figures[key], figures.pageViews);
  return rates ? `. 95% confidence: ${rates.map(percent).join('–')}` : '';
}
