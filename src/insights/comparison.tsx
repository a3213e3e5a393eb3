import { chakra } from '@chakra-ui/react';
import { percent } from '../admin/format.ts';
import { Note, Panel } from '../admin/panel.tsx';
import type { Figures } from '../admin/report.ts';
import { type Measure, measures, useFigures } from './measures.ts';
import { compareCounts, compareRevenue, dispersionOf, type Verdict } from './statistics.ts';
import { Table } from './table.tsx';
import type { Day } from './use-insights.ts';

/** Compares the four figures with the previous period and tests whether each change is significant. */
export function ComparisonPanel({
  length,
  now,
  before,
  days,
}: {
  /** Length of each period, in days. */
  length: number;
  now: Figures;
  /** Null when the previous period was not counted completely. */
  before: Figures | null;
  /** The days of the current period. */
  days: Day[];
}) {
  const text = useFigures();
  return (
    <Panel title={`Compared with the Previous ${length} Days`}>
      {before === null ? (
        <Note>No comparison yet: the previous {length} days were not counted completely.</Note>
      ) : (
        <>
          <Table isStacked>
            <thead>
              <tr>
                <th scope="col">Figure</th>
                {['This period', 'Previous', 'Change'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {measures.map((measure) => {
                const { key, name } = measure;
                const written = (n: number) => text(measure, n);
                const [previous, current] = [figureOf(before, measure), figureOf(now, measure)];
                const verdict = verdictOn(measure, { now, before, days });
                return (
                  <tr key={key}>
                    <th scope="row">{name}</th>
                    <td data-label="This period">{written(current)}</td>
                    <td data-label="Previous">{written(previous)}</td>
                    <td data-label="Change">{changeOf(previous, current, written)}</td>
                    <td data-lead="">
                      <Result data-verdict={verdict}>
                        {(verdict === 'more' || verdict === 'fewer') && <Arrow />}
                        {words[verdict]}
                      </Result>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </Table>
          <Note>
            An arrow marks a statistically significant change (95% confidence). For revenue, the
            number of sales must change too. Holidays and campaigns can also cause a change. Sales
            of this period may still be refunded: those before had {length} more days for it.
          </Note>
        </>
      )}
    </Panel>
  );
}

const words: Record<Verdict, string> = {
  more: 'More',
  fewer: 'Less',
  alike: 'No clear change',
  tooFew: 'Not enough data',
};

/** A figure of a summary, whose revenue is named `totalRevenue`. */
const figureOf = (figures: Figures, { key }: Measure): number =>
  key === 'revenue' ? figures.totalRevenue : figures[key];

function verdictOn(
  measure: Measure,
  { now, before, days }: { now: Figures; before: Figures; days: Day[] },
): Verdict {
  const counted = measure.key === 'revenue' ? 'conversions' : measure.key;
  const whole = days.filter(({ isWhole }) => isWhole).map((day) => day[counted]);
  const verdict = compareCounts(before[counted], now[counted], dispersionOf(whole));
  return measure.key === 'revenue'
    ? compareRevenue(verdict, before.totalRevenue, now.totalRevenue)
    : verdict;
}

/** `+212 (+20.74%)`; without a percentage when the previous figure is 0. */
function changeOf(before: number, now: number, text: (n: number) => string): string {
  const signed = (n: number, written: (n: number) => string) => `${n > 0 ? '+' : ''}${written(n)}`;
  const difference = signed(now - before, text);
  return before === 0
    ? difference
    : `${difference} (${signed((100 * (now - before)) / before, percent)})`;
}

const Result = chakra('span', {
  base: {
    whiteSpace: 'nowrap',
    color: 'fg.muted',
    fontWeight: '400',
    '&[data-verdict=more]': { color: 'line.green', fontWeight: '700' },
    '&[data-verdict=fewer]': {
      color: 'line.red',
      fontWeight: '700',
      '& svg': { rotate: '180deg' },
    },
  },
});

function Arrow() {
  return (
    <chakra.svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      aria-hidden="true"
      display="inline"
      boxSize="1em"
      me="1"
      verticalAlign="-0.125em"
    >
      <path d="M12 21V4M5 11l7-7 7 7" />
    </chakra.svg>
  );
}
