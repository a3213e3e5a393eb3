import { useContext } from 'react';
import { Currency } from '../admin/currency.ts';
import { shortDate } from './dates.ts';
import { DayTip } from './day-tip.tsx';
import { LineChart } from './line-chart.tsx';
import type { Measure } from './measures.ts';
import type { Day } from './use-insights.ts';

/** A line chart of one figure per day. */
export function DayChart({ days, measure }: { days: Day[]; measure: Measure }) {
  const { key } = measure;
  const currency = useContext(Currency);
  const { format } = new Intl.NumberFormat('en-US', {
    notation: 'compact',
    ...(key === 'revenue' && { style: 'currency', currency }),
  });
  return (
    <LineChart
      points={days.map((day) => ({
        label: shortDate(day.date),
        value: day[key],
        isPartial: !day.isWhole,
      }))}
      color={'line' in measure ? `line.${measure.line}` : 'fg'}
      height="10rem"
      formatTick={format}
      tooltip={(i) => days[i] && <DayTip day={days[i]} chosen={key} />}
    />
  );
}
