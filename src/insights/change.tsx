import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { formatNumber } from '../../server/contract/numbers.ts';
import { type Measure, type Measured, useFigures } from './measures.ts';
import { compareCounts, compareRevenue, spreadOf, type Verdict } from './statistics.ts';

/** The change of a figure since an earlier time of the same length; nothing when both are 0. */
export function Change({
  measure,
  now,
  before,
  parts,
  until,
}: {
  measure: Measure;
  now: Measured;
  before: Measured;
  /** The figures of whole days of both times, or of whole months: they show how much they vary by chance. */
  parts: readonly (readonly Measured[])[];
  /** When the earlier time ended, such as `by Nov 24, 2025`. */
  until?: string;
}) {
  const text = useFigures();
  const [then, current] = [before[measure.key], now[measure.key]];
  if (then === 0 && current === 0) return null;
  const verdict = verdictOn(measure, { now, before, parts });
  const earlier = `${text(measure, then)}${until ? ` ${until}` : ''}`;
  if (verdict === 'tooFew') {
    return <Unclear>{`Too few to tell · ${earlier}${until ? '' : ' before'}`}</Unclear>;
  }
  if (verdict === 'alike') return <Unclear>{`No clear change from ${earlier}`}</Unclear>;
  const percent =
    then === 0 ? '' : `${formatNumber(Math.round((100 * Math.abs(current - then)) / then))}%`;
  return (
    <>
      <Result data-verdict={verdict}>
        <Arrow />
        <VisuallyHidden>{verdict === 'more' ? 'Up ' : 'Down '}</VisuallyHidden>
        <span>{percent}</span>
      </Result>
      <span>{` from ${earlier}`}</span>
    </>
  );
}

function verdictOn(
  { key }: Measure,
  { now, before, parts }: Pick<Parameters<typeof Change>[0], 'now' | 'before' | 'parts'>,
): Verdict {
  const counted = key === 'revenue' ? 'conversions' : key;
  const spread = spreadOf(...parts.map((list) => list.map((part) => part[counted])));
  const verdict = compareCounts(before[counted], now[counted], spread);
  return key === 'revenue' ? compareRevenue(verdict, before.revenue, now.revenue) : verdict;
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
