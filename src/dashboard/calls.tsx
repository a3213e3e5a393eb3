import { chakra, Flex, Heading, List, Span, Text } from '@chakra-ui/react';
import { useContext } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../server/contract/numbers.ts';
import { weekdayAndTime } from '../../server/contract/times.ts';
import { callNames } from '../admin/call-names.ts';
import { percent } from '../admin/format.ts';
import { Panel } from '../admin/panel.tsx';
import type { Report } from '../admin/report.ts';
import { IsSample } from '../admin/sample.tsx';
import { drawn, stop } from '../theme/stop.ts';

/** From a view to a booked call, and the next calls. Without a report it shows only the names. */
export function CallsPanel({ report }: { report: Report | undefined }) {
  const isSample = useContext(IsSample);
  const { ctaClicks, callsBooked } = report?.figures ?? {};
  // Page views have no button.
  const pageViews = report?.filter.button === undefined ? report?.figures.pageViews : undefined;
  const { cancelled, soon = 0, next = [], timeZone = 'UTC' } = report?.calls ?? {};
  // Calls at Calendly and Cal.com are counted, but not listed.
  const end = (report?.receivedAt ?? 0) + 7 * 86_400_000;
  const more = soon - next.filter(({ start }) => Date.parse(start) < end).length;
  const stops = [
    { kind: 'views', name: 'Page Views', n: pageViews, note: 'Unique visits' },
    {
      kind: 'clicks',
      name: 'Clicks',
      n: ctaClicks,
      note: shareOf(ctaClicks, pageViews, 'of views'),
    },
    {
      kind: 'booked',
      name: 'Booked',
      n: callsBooked,
      note: shareOf(callsBooked, ctaClicks, 'of clicks'),
    },
    {
      kind: 'cancelled',
      name: 'Cancelled',
      n: cancelled,
      note: shareOf(cancelled, callsBooked, 'of booked'),
    },
  ];
  return (
    <Panel
      title="Calls"
      aside={
        <AllBookings asChild>
          <Link to="/analytics/bookings">All bookings</Link>
        </AllBookings>
      }
    >
      <Stops as="ol">
        {stops.map(({ kind, name, n, note }) => (
          <List.Item key={name} data-kind={kind}>
            <Span gridArea="figure" textStyle="h2" fontSize="1.75rem" lineHeight="1.1">
              {n === undefined ? '–' : formatNumber(n)}
            </Span>
            <Span gridArea="name" fontWeight="600" lineHeight="1.4">
              {name}
            </Span>
            <Span gridArea="note" textStyle="small" color="fg.muted">
              {note}
            </Span>
          </List.Item>
        ))}
      </Stops>
      {next.length + soon > 0 && (
        <>
          <Flex justify="space-between" align="baseline" columnGap="4" mt="5" pb="1">
            <Heading as="h3" fontWeight="600">
              Next calls
            </Heading>
            <Text textStyle="small" color="fg.muted">
              {`${formatNumber(soon)} in the next 7 days`}
            </Text>
          </Flex>
          <List.Root as="ul">
            {next.map(({ id, call, start, name }) => (
              <NextCall key={id}>
                <time dateTime={start}>{weekdayAndTime(start, timeZone)}</time>
                {isSample ? (
                  <Span fontWeight="600">{name}</Span>
                ) : (
                  <Link to={`/analytics/bookings?id=${id}`}>{name}</Link>
                )}
                <Span textStyle="small" color="fg.muted">
                  {callNames[call]}
                </Span>
              </NextCall>
            ))}
          </List.Root>
          {more > 0 && next.length > 0 && (
            <Text textStyle="small" color="fg.muted" mt="2">
              {`${formatNumber(more)} more in the next 7 days`}
            </Text>
          )}
        </>
      )}
    </Panel>
  );
}

/** `4.48% of clicks`; empty without any of them. */
const shareOf = (n = 0, of = 0, words: string) =>
  of === 0 ? '' : `${percent((100 * n) / of)} ${words}`;

const AllBookings = chakra('a', {
  base: {
    ms: 'auto',
    py: '2',
    fontWeight: '700',
    textDecoration: 'underline',
    textDecorationThickness: '2px',
    textUnderlineOffset: '6px',
    _hover: { textDecorationThickness: '4px' },
  },
});

/** Four stations on a line, from left to right; on phones from top to bottom. */
const Stops = chakra(List.Root, {
  base: {
    display: { sm: 'grid' },
    gridTemplateColumns: { sm: 'repeat(4, 1fr)' },
    pt: '4',
    fontVariantNumeric: 'tabular-nums',
    '& li': {
      position: 'relative',
      display: 'grid',
      gridTemplateAreas: { base: '"name figure" "note figure"', sm: '"figure" "name" "note"' },
      gridTemplateColumns: { base: '1fr auto', sm: '1fr' },
      alignItems: { base: 'center', sm: 'start' },
      alignContent: 'start',
      justifyItems: 'start',
      ps: { base: '10', sm: '0' },
      pe: { sm: '3' },
      pt: { sm: '7' },
      pb: { base: '4', sm: '0' },
    },
    // The line to the next station.
    '& li:not(:last-child)::before': {
      ...drawn,
      top: { base: '8px', sm: '6px' },
      insetStart: { base: '6px', sm: '0' },
      w: { base: '0', sm: 'full' },
      h: { base: 'full', sm: '0' },
      borderTop: { sm: '3px solid {colors.fg}' },
      borderInlineStart: { base: '3px solid {colors.fg}', sm: 'none' },
    },
    '& li[data-kind=booked]::before': {
      borderStyle: 'dotted !important',
      borderColor: 'field',
    },
    '& li::after': {
      ...stop({ size: 15, ring: 3 }),
      top: { base: '4px', sm: '0' },
      insetStart: '0',
    },
    '& li[data-kind=booked]::after': {
      insetStart: { base: '-5px', sm: '0' },
      w: '25px',
      bg: 'primary',
    },
    '& li[data-kind=cancelled]::after': { borderColor: 'line.red' },
  },
});

const NextCall = chakra('li', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: '1fr auto', sm: '12rem 1fr auto' },
    columnGap: '4',
    alignItems: 'baseline',
    py: '2',
    borderTop: '1px solid {colors.hairline}',
    fontVariantNumeric: 'tabular-nums',
    overflowWrap: 'anywhere',
    '& time': { gridColumn: { base: '1 / -1', sm: 'auto' } },
    '& a': { fontWeight: '600', _hover: { textDecoration: 'underline' } },
  },
});
