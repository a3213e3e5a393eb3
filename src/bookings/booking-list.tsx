import { Box, Button, chakra, Flex, Heading, Span, Text } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import { timesInWords } from '../../server/contract/times.ts';
import { callNames } from '../admin/call-names.ts';
import {
  type Blocked,
  type Booking,
  type Bookings,
  byDate,
  type Entry,
  localDateInWords,
  problemOf,
} from './booking.ts';

/** The HTML id of a call's link, used to move the focus. */
export const linkId = (id: string) => `booking-${id}`;

/** The calls and blocked times by day. A call is a link that shows everything about it. */
export function BookingList({
  entries,
  timeZone,
  today,
  questions,
  chosenId,
  addressOf,
  onUnblock,
}: {
  entries: Entry[];
  timeZone: string;
  /** The local dates of today and tomorrow. */
  today: readonly string[];
  /** Number of questions about each call. */
  questions: Bookings['questions'] | undefined;
  chosenId: string | undefined;
  /** The address that shows a call. */
  addressOf: (booking: Booking) => string;
  onUnblock: (time: Blocked) => void;
}) {
  return byDate(entries, timeZone).map(([date, rows]) => {
    const [name, rest] = headingOf(date, today);
    return (
      <Box as="section" key={date} aria-label={`${name}, ${rest}`} mt="7">
        <Flex
          wrap="wrap"
          align="baseline"
          columnGap="3"
          pb="2"
          borderBottom="1px solid"
          borderColor="hairline"
        >
          <Heading as="h2" textStyle="h4">
            {name}
          </Heading>
          <Span color="fg.muted" textStyle="small">
            {rest}
          </Span>
        </Flex>
        <chakra.ol>
          {rows.map((entry) =>
            'email' in entry ? (
              <li key={entry.id}>
                <Row asChild>
                  <Link
                    id={linkId(entry.id)}
                    to={addressOf(entry)}
                    aria-current={entry.id === chosenId || undefined}
                  >
                    <Times>{timesInWords(entry.start, entry.end, timeZone)}</Times>
                    <span>
                      <Span display="block" fontWeight="600">
                        {entry.name}
                      </Span>
                      <Span textStyle="small" color="fg.muted">
                        {`${callNames[entry.call]}, from ${entry.source ?? 'Direct'}`}
                      </Span>
                    </span>
                    <State booking={entry} questions={questions?.[entry.call]} />
                  </Link>
                </Row>
              </li>
            ) : (
              <Row as="li" key={entry.id} css={hatched}>
                <Times>{timesInWords(entry.start, entry.end, timeZone)}</Times>
                <span>
                  <Span display="block" fontWeight="600">
                    Blocked
                  </Span>
                  <Span textStyle="small">{entry.note}</Span>
                </span>
                <Button type="button" variant="plain" onClick={() => onUnblock(entry)}>
                  Unblock
                </Button>
              </Row>
            ),
          )}
        </chakra.ol>
      </Box>
    );
  });
}

/** `Today`, `Tuesday, November 24`; or `Thursday`, `November 26`, with the year where it is another. */
function headingOf(
  date: string,
  [today, tomorrow]: readonly string[],
): [name: string, rest: string] {
  const year = date.slice(0, 4) === today?.slice(0, 4) ? undefined : 'numeric';
  const day = { month: 'long', day: 'numeric', year } as const;
  if (date === today || date === tomorrow) {
    return [
      date === today ? 'Today' : 'Tomorrow',
      localDateInWords(date, { weekday: 'long', ...day }),
    ];
  }
  return [localDateInWords(date, { weekday: 'long' }), localDateInWords(date, day)];
}

function State({ booking, questions = 0 }: { booking: Booking; questions: number | undefined }) {
  const problem = problemOf(booking);
  const answered = Object.keys(booking.answers).length;
  const answers = answered === 0 ? 'No answers yet' : `Answered ${answered} of ${questions}`;
  return (
    <Text
      as="span"
      textStyle="small"
      color={problem ? 'line.red' : 'fg.muted'}
      fontWeight={problem ? '600' : undefined}
      textAlign={{ sm: 'end' }}
    >
      {problem ?? (questions === 0 || booking.state === 'cancelled' ? '' : answers)}
    </Text>
  );
}

const Row = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr) auto', sm: '9.5rem minmax(0, 1fr) auto' },
    alignItems: 'center',
    columnGap: '4',
    minH: '15',
    py: '2',
    pe: '2',
    lineHeight: '1.35',
    borderBottom: '1px solid {colors.hairline}',
    overflowWrap: 'anywhere',
    '&:is(a):hover': { bg: 'bg.tint' },
    '&[aria-current]': {
      bg: { lg: 'bg.tint' },
      // The marker of the chosen call stands outside of the text's edge.
      boxShadow: { lg: '-12px 0 {colors.bg.tint}, -16px 0 {colors.line.blue}' },
    },
  },
});

/** The time of a row, above the name on phones. */
const Times = chakra('span', {
  base: {
    gridColumn: { base: '1 / -1', sm: 'auto' },
    fontWeight: { sm: '600' },
    color: { base: 'fg.muted', sm: 'inherit' },
    fontVariantNumeric: 'tabular-nums',
  },
});

const hatched = {
  color: 'fg.muted',
  bgImage: 'repeating-linear-gradient(135deg, transparent 0 6px, {colors.hairline} 6px 7px)',
  '& > *': { bg: 'bg', justifySelf: 'start' },
  '& button': { color: 'fg' },
};
