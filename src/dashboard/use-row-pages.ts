import { useInfiniteQuery } from '@tanstack/react-query';
import type { Outputs } from '../../server/contract/api.ts';
import { routes } from '../../server/contract/routes.ts';
import { trpc } from '../api/trpc.ts';
import { useRedirectWhenSignedOut } from './use-dashboard.ts';
import type { RowsQuery } from './use-rows.ts';

/** A sale or a visitor's event. */
export type ListedRow = Outputs['analytics']['rows']['rows'][number];

/** Loads the rows of a figure page by page. */
export function useRowPages({ kind, startDate, asOf }: RowsQuery) {
  const { client } = trpc.useUtils();
  const query = useInfiniteQuery({
    queryKey: [routes['analytics.rows'].path, kind, startDate, asOf],
    queryFn: ({ pageParam, signal }) =>
      client.analytics.rows.query({ kind, startDate, asOf, after: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
  });
  useRedirectWhenSignedOut(query.error);
  const pages = query.data?.pages ?? [];
  return {
    rows: pages.flatMap(({ rows }): ListedRow[] => rows),
    /** Total number of rows that count; undefined until the first response. */
    counted: pages.at(-1)?.counted,
    hasMore: query.data === undefined ? query.isError : query.hasNextPage,
    isFetching: query.isFetching,
    hasFailed: query.isError && !query.isFetching,
    /** Fetches the next page, or retries the first; resolves to true after the last page. */
    async more(): Promise<boolean> {
      const { isSuccess, data } = await (query.data ? query.fetchNextPage() : query.refetch());
      return isSuccess && data?.pages.at(-1)?.next === undefined;
    },
  };
}
