import { chakra, Span } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../server/contract/numbers.ts';
import { segment, segmentBar } from '../admin/segments.ts';
import { type Bookings, type State, states } from './booking.ts';

const names: Record<State, string> = { upcoming: 'Upcoming', past: 'Past', cancelled: 'Cancelled' };

/** Links to the lists, each with its number of calls. */
export const StateLinks = ({
  state,
  counts,
}: {
  state: State;
  counts: Bookings['counts'] | undefined;
}) => (
  <Bar aria-label="Calls">
    {states.map((one) => (
      <Segment key={one} asChild>
        <Link
          to={one === 'upcoming' ? '/analytics/bookings' : `?state=${one}`}
          aria-current={one === state ? 'page' : undefined}
        >
          <span>{names[one]}</span>
          {counts !== undefined && counts[one] > 0 && (
            <Span fontVariantNumeric="tabular-nums">{formatNumber(counts[one])}</Span>
          )}
        </Link>
      </Segment>
    ))}
  </Bar>
);

const Bar = chakra('nav', { base: segmentBar });
const Segment = chakra('a', { base: segment });
