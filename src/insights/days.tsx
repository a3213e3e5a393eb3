import { chakra } from '@chakra-ui/react';
import { Panel } from '../admin/panel.tsx';
import { shortDate, zoneName } from './dates.ts';
import { DayChart } from './day-chart.tsx';
import { DaysTable } from './days-table.tsx';
import type { Day } from './insights-data.ts';
import { type Measure, measures } from './measures.ts';
import { Note } from './note.tsx';

/** The four figures by day, as charts and as a table. */
export function DaysPanel({
  days,
  timeZone,
  isQuiet,
}: {
  days: Day[];
  timeZone: string;
  /** True when every figure of every day is 0. */
  isQuiet: boolean;
}) {
  if (days.length === 0) return null;
  return (
    <Panel title="Day by Day">
      {isQuiet ? (
        <Note>No visits in this period.</Note>
      ) : (
        <>
          <Charts>
            {measures.map((measure) => (
              <div key={measure.of}>
                <chakra.h3 fontWeight="600">{measure.name}</chakra.h3>
                <chakra.p textStyle="small" color="fg.muted" minH="1.5em">
                  {bestOf(days, measure)}
                </chakra.p>
                <DayChart days={days} measure={measure} />
              </div>
            ))}
          </Charts>
          <Note>
            {partsOf(days)}Days run from midnight to midnight, {zoneName(timeZone)}.
          </Note>
          <DaysTable days={days} />
        </>
      )}
    </Panel>
  );
}

/** The whole day with the highest value. */
function bestOf(days: Day[], { of, text }: Measure): string {
  const whole = days.filter(({ isWhole }) => isWhole);
  const most = Math.max(0, ...whole.map((day) => day[of]));
  const best = whole.filter((day) => day[of] === most);
  if (most === 0 || !best[0]) return '';
  const when = best.length === 1 ? `on ${shortDate(best[0].date)}` : `on ${best.length} days`;
  return `Most in a day: ${text(most)}, ${when}`;
}

/** A sentence that names the partial days. */
function partsOf(days: Day[]): string {
  const parts = days.filter(({ isWhole }) => !isWhole).map(({ date }) => shortDate(date));
  if (parts.length === 0) return '';
  return parts.length === 1
    ? `The hollow point, ${parts[0]}, is a part of a day only, and no match for the others. `
    : `The hollow points, ${parts.join(' and ')}, are parts of a day only, and no match for the others. `;
}

const Charts = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
    columnGap: '10',
    rowGap: '6',
    pt: '5',
  },
});
