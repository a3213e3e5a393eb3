/** The Bookings screen. This module is loaded on demand. */

import { Box, Button, Flex, Grid, Link as PlainLink, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Inputs } from '../../server/contract/api.ts';
import { pluralize } from '../../server/contract/numbers.ts';
import { zoneInWords } from '../../server/contract/times.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { EmptyState } from '../admin/empty-state.tsx';
import { timeOfDay } from '../admin/format.ts';
import { AdminHeader } from '../admin/header.tsx';
import { useDownload } from '../admin/owner-api.tsx';
import { RefreshButton } from '../admin/refresh-button.tsx';
import { ScreenContent } from '../admin/screen.tsx';
import { StatusLine } from '../admin/status-line.tsx';
import { useStatus } from '../admin/use-status.ts';
import { BlockDialog } from './block-dialog.tsx';
import { type Booking, type State, states, withBlocked } from './booking.ts';
import { BookingDetails } from './booking-details.tsx';
import { BookingList, linkId } from './booking-list.tsx';
import { StateLinks } from './state-links.tsx';
import { useBookings } from './use-bookings.ts';
import { Week } from './week.tsx';

/**
 * The calls that visitors booked on this site: upcoming, past and cancelled ones. The chosen call stands
 * beside the list; narrow screens show one of the two.
 */
export function BookingsPage() {
  const [params] = useSearchParams();
  const state = states.find((one) => one === params.get('state')) ?? 'upcoming';
  const list = useBookings(state);
  const siteStatus = useStatus();
  const onDownload = useDownload();
  const [isBlocking, setIsBlocking] = useState(false);
  const [status, setStatus] = useState('');
  const statusRef = useRef<HTMLParagraphElement>(null);
  const [kept, setKept] = useState<{ state: State; booking: Booking }>();
  const edited = kept?.state === state ? kept.booking : undefined;
  const id = params.get('id') ?? edited?.id;
  // A call that is over leaves the list: it stays here while the owner writes about it.
  const chosen =
    list.bookings.find((booking) => booking.id === id) ??
    (edited?.id === id ? edited : undefined) ??
    list.bookings[0];
  const opened = chosen?.id === params.get('id') ? chosen : undefined;
  const headingRef = useFocusOfOpened(opened?.id);

  const refresh = async () => {
    setStatus('');
    const { isError } = await list.refresh();
    setStatus(
      isError ? 'Could not load the calls. Try again.' : `Updated at ${timeOfDay(Date.now())}.`,
    );
  };
  const cancel = async (booking: Booking) => {
    const error = await list.cancel(booking);
    const emailed = list.isMailed ? ` ${booking.email} gets an email.` : '';
    setStatus(error ?? `The call with ${booking.name} was cancelled.${emailed}`);
    if (error === undefined) setKept(undefined);
    // The focused button was removed.
    statusRef.current?.focus();
  };
  const block = async (time: Inputs['booking']['block']) => {
    const error = await list.block(time);
    if (error === undefined) setStatus('The time was blocked.');
    return error;
  };
  const note = async (booking: Booking, text: string) => {
    const error = await list.note(booking, text);
    setStatus(error ?? `The note about ${booking.name} was saved.`);
  };
  const isUpcoming = state === 'upcoming';
  // The rest of the calls, not loaded yet, may stand before the last blocked times.
  const last = list.hasMore ? list.bookings.at(-1)?.start : undefined;
  const blocked = isUpcoming ? list.blocked.filter(({ start }) => !last || start <= last) : [];
  const entries = isUpcoming ? withBlocked(list.bookings, blocked) : list.bookings;
  const isEmpty = entries.length === 0 && !list.isLoading && !list.hasFailed;
  const whileClosed = { base: opened ? 'none' : 'block', lg: 'block' };
  const back = isUpcoming ? '/analytics/bookings' : `/analytics/bookings?state=${state}`;
  return (
    <>
      <AdminHeader
        title="Bookings"
        subtitle="Calls that visitors booked with you"
        status={siteStatus}
      >
        <RefreshButton what="calls" isFetching={list.isFetching} onClick={() => void refresh()} />
        <Button asChild flex={sharedRow} px={narrowEdge}>
          <a href={list.feed}>Calendar feed</a>
        </Button>
        <Button type="button" flex={sharedRow} px={narrowEdge} onClick={() => setIsBlocking(true)}>
          Block a time
        </Button>
      </AdminHeader>
      <ScreenContent pt="6" isLoading={list.counts === undefined && !list.hasFailed}>
        <Flex wrap="wrap" align="center" justify="space-between" columnGap="6" rowGap="3">
          <StateLinks state={state} counts={list.counts} />
          <Flex wrap="wrap" columnGap="4" textStyle="small" color="fg.muted">
            <span>{`Times in ${zoneInWords(Date.now(), list.timeZone)}`}</span>
            <BusyTimes at={list.busyTimesAt} />
          </Flex>
        </Flex>
        {!list.isMailed && !siteStatus?.isDemo && (
          <OwnerAlert maxW="65ch">
            Nobody gets an email about a call: no mail server is configured.{' '}
            <Link to="/analytics/settings/email">Connect one under Settings.</Link>
          </OwnerAlert>
        )}
        {isUpcoming && (
          <Box display={whileClosed}>
            <Week days={list.week} blocked={list.blocked} timeZone={list.timeZone} />
          </Box>
        )}
        <StatusLine ref={statusRef}>{status}</StatusLine>
        {list.hasFailed && (
          <OwnerAlert role="alert" maxW="65ch">
            Could not load the calls. Retrying every 30 seconds.
          </OwnerAlert>
        )}
        <Grid
          templateColumns={{ lg: chosen ? 'minmax(0, 7fr) minmax(0, 5fr)' : 'minmax(0, 1fr)' }}
          columnGap="8"
          alignItems="start"
        >
          <Box display={whileClosed} mt="-7">
            <BookingList
              entries={entries}
              timeZone={list.timeZone}
              today={list.week.slice(0, 2).map(({ date }) => date)}
              questions={list.questions}
              chosenId={chosen?.id}
              addressOf={({ id }) =>
                `?${new URLSearchParams({ ...(!isUpcoming && { state }), id })}`
              }
              onUnblock={({ id }) => void list.unblock(id).then((error) => setStatus(error ?? ''))}
            />
            {isEmpty && <EmptyState title={emptyStates[state][0]} hint={emptyStates[state][1]} />}
            {list.hasMore && (
              <Button
                type="button"
                mt="6"
                aria-busy={list.isFetching}
                onClick={() => void (list.isFetching || list.more())}
              >
                Show more
              </Button>
            )}
          </Box>
          {chosen && (
            <Box
              as="section"
              aria-label={`The call with ${chosen.name}`}
              display={{ base: opened ? 'block' : 'none', lg: 'block' }}
              onFocusCapture={() => setKept({ state, booking: chosen })}
              position={{ lg: 'sticky' }}
              top="6"
            >
              <Button asChild variant="plain" display={{ lg: 'none' }}>
                <Link to={back}>All calls</Link>
              </Button>
              <BookingDetails
                key={chosen.id}
                booking={chosen}
                timeZone={list.timeZone}
                isUpcoming={isUpcoming}
                headingRef={headingRef}
                onCancel={() => cancel(chosen)}
                onNote={(text) => note(chosen, text)}
              />
            </Box>
          )}
        </Grid>
        <Text mt="12" pt="4" borderTop="1px solid" borderColor="hairline" textStyle="small">
          <span>Download all calls: </span>
          {['CSV', 'JSON'].map((format, i) => (
            <span key={format}>
              {i > 0 && <span>, </span>}
              <PlainLink
                variant="underline"
                fontWeight="600"
                href={`/api/bookings.${format.toLowerCase()}`}
                download
                onClick={onDownload}
              >
                {format}
              </PlainLink>
            </span>
          ))}
        </Text>
        {isBlocking && (
          <BlockDialog
            timeZone={list.timeZone}
            onBlock={block}
            onClose={() => setIsBlocking(false)}
          />
        )}
      </ScreenContent>
    </>
  );
}

/** The buttons share one row on phones. */
const sharedRow = { base: '1 0 auto', sm: '0 0 auto' };
const narrowEdge = { base: '2', sm: '5' };

/** Where only one of list and call is visible, moves the focus to the call that opens, and back to its link. */
function useFocusOfOpened(id: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(id);
  useEffect(() => {
    const changed = id !== last.current && (id ?? last.current);
    const link = changed ? document.getElementById(linkId(changed)) : null;
    if (id === undefined) link?.focus();
    else if (link?.offsetParent === null) heading.current?.focus();
    last.current = id;
  }, [id]);
  return heading;
}

/** Since when the owner's other calendars are up to date. */
function BusyTimes({ at }: { at: string | null | undefined }) {
  if (at === undefined) return null;
  if (at === null) return <span>Busy times not read yet</span>;
  const minutes = Math.floor((Date.now() - Date.parse(at)) / 60_000);
  if (minutes < 1) return <span>Busy times read just now</span>;
  const hours = Math.floor(minutes / 60);
  const [n, unit] = hours > 0 ? [hours, 'hour'] : [minutes, 'minute'];
  return <span>{`Busy times read ${pluralize(n, unit)} ago`}</span>;
}

const emptyStates: Record<State, [title: string, hint: string]> = {
  upcoming: ['No upcoming calls', 'Calls that visitors book on your site appear here.'],
  past: ['No past calls', 'Calls appear here when their time is over.'],
  cancelled: ['No cancelled calls', 'Calls that you or visitors cancel appear here.'],
};
