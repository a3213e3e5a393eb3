import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { wholeNumber } from '../admin/format.ts';
import type { Figures, Report } from '../admin/report.ts';
import { figureOf, type Measure, useFigures } from '../insights/measures.ts';
import {
  compareCounts,
  compareRevenue,
  dispersionOf,
  type Verdict,
} from '../insights/statistics.ts';
import type { Insights } from '../insights/use-insights.ts';

/** The change of a figure since the previous period; nothing when that was not counted completely. */
export function Change({
  measure,
  report,
  insights,
}: {
  measure: Measure;
  report: Report;
  insights: Insights;
}) {
  const text = useFigures();
  const { previous, days } = insights;
  if (!previous) return null;
  const [before, now] = [figureOf(previous, measure), figureOf(report.figures, measure)];
  if (before === 0 && now === 0) return null;
  const verdict = verdictOn(measure, { now: report.figures, before: previous, days });
  const earlier = text(measure, before);
  if (verdict === 'tooFew') return <Unclear>Too few to tell · {earlier} before</Unclear>;
  if (verdict === 'alike') return <Unclear>No clear change from {earlier}</Unclear>;
  const percent =
    before === 0 ? '' : `${wholeNumber(Math.round((100 * Math.abs(now - before)) / before))}%`;
  return (
    <>
      <Result data-verdict={verdict}>
        <Arrow />
        <VisuallyHidden>{verdict === 'more' ? 'Up ' : 'Down '}</VisuallyHidden>
        {percent}
      </Result>
      {` from ${earlier}`}
    </>
  );
}

function verdictOn(
  measure: Measure,
  { now, before, days }: { now: Figures; before: Figures; days: Insights['days'] },
): Verdict {
  const counted = measure.key === 'revenue' ? 'conversions' : measure.key;
  const whole = days.filter(({ isWhole }) => isWhole).map((day) => day[counted]);
  const verdict = compareCounts(before[counted], now[counted], dispersionOf(whole));
  return measure.key === 'revenue'
    ? compareRevenue(verdict, before.totalRevenue, now.totalRevenue)
    : verdict;
}

const Unclear = chakra('span', { base: { color: 'fg.muted' } });

const Result = chakra('span', {
  base: {
    fontWeight: '700',
    '&[data-verdict=more]': { color: 'line.green' },
    '&[data-verdict=fewer]': { color: 'line.red', '& svg': { rotate: '180deg' } },
  },
});

const Arrow = () => (
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
