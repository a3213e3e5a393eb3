import { Heading, SimpleGrid, Text } from '@chakra-ui/react';
import { Note, Panel } from '../admin/panel.tsx';
import { shortDate, zoneName } from './dates.ts';
import { DayChart } from './day-chart.tsx';
import { DaysTable } from './days-table.tsx';
import { type Measure, measures, useFigures } from './measures.ts';
import type { Day } from './use-insights.ts';

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
  const text = useFigures();
  if (days.length === 0) return null;
  return (
    <Panel title="Day by Day">
      {isQuiet ? (
        <Note>No activity in this period.</Note>
      ) : (
        <>
          <SimpleGrid columns={{ base: 1, md: 2 }} columnGap="10" rowGap="6" pt="5">
            {measures.map((measure) => (
              <div key={measure.key}>
                <Heading as="h3" fontWeight="600">
                  {measure.name}
                </Heading>
                <Text textStyle="small" color="fg.muted" minH="1.5em">
                  {bestOf(days, measure, text)}
                </Text>
                <DayChart days={days} measure={measure} />
              </div>
            ))}
          </SimpleGrid>
          <Note>
            {partialDaysOf(days)}Days run from midnight to midnight, {zoneName(timeZone)}.
          </Note>
          <DaysTable days={days} />
        </>
      )}
    </Panel>
  );
}

/** The full day with the highest value. */
function bestOf(days: Day[], measure: Measure, text: ReturnType<typeof useFigures>): string {
  const { key } = measure;
  const whole = days.filter(({ isWhole }) => isWhole);
  const most = Math.max(0, ...whole.map((day) => day[key]));
  const best = whole.filter((day) => day[key] === most);
  if (most === 0 || !best[0]) return '';
  const when = best.length === 1 ? `on ${shortDate(best[0].date)}` : `on ${best.length} days`;
  return `Most in a day: ${text(measure, most)}, ${when}`;
}

/** Names the partial days in a sentence; empty when there are none. */
function partialDaysOf(days: Day[]): string {
  const parts = days.filter(({ isWhole }) => !isWhole).map(({ date }) => shortDate(date));
  if (parts.length === 0) return '';
  return parts.length === 1
    ? `The hollow point, ${parts[0]}, is a partial day: do not compare it with full days. `
    : `The hollow points, ${parts.join(' and ')}, are partial days: do not compare them with full days. `;
}
