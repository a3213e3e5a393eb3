import { chakra, Span, VisuallyHidden } from '@chakra-ui/react';
import { pluralize } from '../../server/contract/numbers.ts';
import { timesInWords } from '../../server/contract/times.ts';
import { drawn, stop } from '../theme/stop.ts';
import { type Blocked, type Day, dateOf, localDateInWords } from './booking.ts';

/** The next seven days as stops on a line: a yellow one has calls, a small one is closed. */
export const Week = ({
  days,
  blocked,
  timeZone,
}: {
  days: Day[];
  blocked: Blocked[];
  timeZone: string;
}) => (
  <Line aria-label="The next seven days">
    {days.map(({ date, isOpen, calls }, i) => {
      const first = blocked.find(({ start }) => dateOf(start, timeZone) === date);
      const closed = isOpen ? 'Free' : 'Closed';
      const free = first
        ? `Blocked ${timesInWords(first.start, first.end, timeZone).replaceAll(':00', '')}`
        : closed;
      const note = calls > 0 ? pluralize(calls, 'call') : free;
      return (
        <Stop key={date} data-state={calls > 0 ? 'calls' : isOpen ? 'open' : 'closed'}>
          <Span fontWeight="600" fontSize={{ base: '0.8125rem', sm: '1rem' }}>
            <span>{localDateInWords(date, { weekday: 'short' })}</span>{' '}
            <Span display={{ base: 'block', sm: 'inline' }}>
              {localDateInWords(date, { day: 'numeric' })}
            </Span>
          </Span>
          {i === 0 && <Span display={{ base: 'none', lg: 'inline' }}> today</Span>}
          {/* Phones have no room for the note; the list below says the same. */}
          <Span display={{ base: 'none', md: 'block' }} color="fg.muted" textStyle="small">
            {note}
          </Span>
          <VisuallyHidden display={{ md: 'none' }}>{`: ${note}`}</VisuallyHidden>
        </Stop>
      );
    })}
  </Line>
);

const Line = chakra('ol', {
  base: {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: 'repeat(7, minmax(0, 1fr))',
    columnGap: { base: '1', sm: '2' },
    mt: '6',
    _before: {
      ...drawn,
      insetInline: '0',
      top: '8px',
      h: '4px',
      bg: 'line.blue',
    },
    '@media (forced-colors: active)': { _before: { bg: 'CanvasText' } },
  },
});

const Stop = chakra('li', {
  base: {
    position: 'relative',
    pt: '8',
    lineHeight: '1.35',
    fontVariantNumeric: 'tabular-nums',
    _before: {
      ...stop({ size: 20 }),
      top: '0',
      insetInlineStart: '0',
    },
    '&[data-state=calls]': {
      _before: {
        w: '30px',
        bg: 'primary',
        borderWidth: '3px',
        '@media (forced-colors: active)': { forcedColorAdjust: 'none', bg: 'Highlight' },
      },
    },
    '&[data-state=closed]': {
      _before: {
        boxSize: '12px',
        top: '4px',
        insetInlineStart: '4px',
        borderWidth: '3px',
        borderColor: 'fg.muted',
      },
    },
  },
});
