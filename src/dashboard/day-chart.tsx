import { Note } from '../admin/panel.tsx';
import { dayAndMonth, dayOfWeek, shortDate, weekday, zoneName } from '../insights/dates.ts';
import { FigureTip } from '../insights/figure-tip.tsx';
import { LineChart, type Point } from '../insights/line-chart.tsx';
import { type Measure, useAxisFormat, useFigures } from '../insights/measures.ts';
import { ticksUpTo } from '../insights/scale.ts';
import type { Day, Insights } from '../insights/use-insights.ts';

/** The line of a figure by day, with the previous period behind it. A day opens with a click or Enter. */
export function DayChart({
  measure,
  insights: { days, previousDays, timeZone, period },
  onOpen,
}: {
  measure: Measure;
  insights: Insights;
  onOpen: (day: Day) => void;
}) {
  const { key, name } = measure;
  const text = useFigures();
  const isMoney = key === 'revenue';
  const before = previousDays.map((day) => day[key]);
  const most = Math.max(...days.map((day) => day[key]), ...before);
  return (
    <>
      <LineChart
        name={`${name} by day`}
        points={pointsOf(days, key)}
        before={before}
        ticks={ticksUpTo(most, { isCount: !isMoney })}
        color={'line' in measure ? `line.${measure.line}` : 'fg'}
        formatTick={useAxisFormat(measure)}
        tooltip={(i) =>
          days[i] && (
            <FigureTip
              title={`${dayAndMonth(days[i].date)}${days[i].isWhole ? '' : ' (part of the day)'}`}
              figures={[
                [name, text(measure, days[i][key])],
                ...(previousDays[i]
                  ? [[`${period} days before`, text(measure, previousDays[i][key])] as const]
                  : []),
              ]}
            />
          )
        }
        textOf={(i) => {
          const [day, earlier] = [days[i], before[i]];
          if (!day) return '';
          const then =
            earlier === undefined ? '' : `, ${period} days before: ${text(measure, earlier)}`;
          return `${dayAndMonth(day.date)}: ${text(measure, day[key])}${then}`;
        }}
        onOpen={(i) => days[i] && onOpen(days[i])}
      />
      <Note mt="1" maxW="none">
        {[
          days.some(({ isWhole }) => !isWhole) && 'Hollow points are parts of a day.',
          days.length <= mostShaded && 'Weekends are shaded.',
          `Days run from midnight to midnight, ${zoneName(timeZone)}.`,
          (isMoney || key === 'conversions') &&
            previousDays.length > 0 &&
            'Sales of this period may still be refunded.',
        ]
          .filter(Boolean)
          .join(' ')}
      </Note>
    </>
  );
}

/** With more days the weekends are too narrow to be shaded. */
const mostShaded = 40;

/** The points of the line. Each day of a week has a label, then each Monday, then every second one. */
function pointsOf(days: Day[], key: Measure['key']): Point[] {
  const isWeek = days.length <= 10;
  const isLong = days.length > mostShaded;
  const isMonday = ({ date }: Day) => weekday(date) === 'Mon';
  const labelled = days
    .filter((day) => isWeek || isMonday(day))
    .filter((_, i) => !isLong || i % 2 === 0);
  return days.map((day) => ({
    value: day[key],
    isPartial: !day.isWhole,
    isShaded: !isLong && ['Sat', 'Sun'].includes(weekday(day.date)),
    ...(labelled.includes(day) && {
      label: isWeek ? dayOfWeek(day.date) : shortDate(day.date),
      isLabelWide: labelled.indexOf(day) % 2 === 1,
    }),
  }));
}
