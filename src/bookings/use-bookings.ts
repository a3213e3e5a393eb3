import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import { routes } from '../../server/contract/routes.ts';
import { refreshEveryMs } from '../admin/refresh-button.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { useLast } from '../admin/use-last.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import type { Booking, State } from './booking.ts';

/** Polls the bookings of a state every 30 seconds, and changes them. */
export function useBookings(state: State) {
  const { client } = trpc.useUtils();
  const query = useInfiniteQuery({
    queryKey: [routes['booking.list'].path, state],
    queryFn: ({ pageParam, signal }) =>
      client.booking.list.query({ state, after: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: refreshEveryMs,
  });
  const [error, setError] = useState<unknown>();
  useLeaveWhenSignedOut(query.error);
  useLeaveWhenSignedOut(error);
  const pages = query.data?.pages ?? [];
  /** Of the last response, also while another state loads. */
  const latest = useLast(pages.at(-1));

  /** Sends a change and refetches. Resolves to undefined, or to the sentence that says what is wrong. */
  const change = async (send: () => Promise<unknown>): Promise<string | undefined> => {
    try {
      await send();
    } catch (cause) {
      setError(cause);
      return errorResponseOf(cause)?.sentence ?? 'Could not save the change. Try again.';
    }
    await query.refetch();
    return undefined;
  };

  return {
    bookings: pages.flatMap(({ bookings }): Booking[] => bookings),
    blocked: latest?.blocked ?? [],
    week: latest?.week ?? [],
    questions: latest?.questions,
    busyTimesAt: latest?.busyTimesAt,
    counts: latest?.counts,
    feed: latest?.feed,
    timeZone: latest?.timeZone ?? 'UTC',
    isMailed: latest?.isMailed ?? true,
    isLoading: query.data === undefined && !query.isError,
    isFetching: query.isFetching,
    hasFailed: query.isError,
    hasMore: query.hasNextPage,
    more: () => query.fetchNextPage(),
    refresh: () => query.refetch({ cancelRefetch: false }),
    // Only API keys get no address.
    cancel: ({ url = '' }: Booking) =>
      change(() =>
        client.booking.change.mutate({ token: url.replace('/booking/', ''), cancel: true }),
      ),
    note: ({ id }: Booking, note: string) => change(() => client.booking.note.mutate({ id, note })),
    block: (time: Inputs['booking']['block']) => change(() => client.booking.block.mutate(time)),
    unblock: (id: string) => change(() => client.booking.unblock.mutate({ id })),
  };
}
