/** The rows behind a figure. This module is loaded when the first dialog opens. */
import { Button, defineStyle, Flex, Link, List, Text } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Inputs, Outputs } from '../../server/contract/api.ts';
import { formatNumber, pluralize } from '../../server/contract/numbers.ts';
import { routes } from '../../server/contract/routes.ts';
import { dateAndTime } from '../../server/contract/times.ts';
import { buttonName, filterTexts } from '../admin/filter-names.ts';
import { Modal } from '../admin/modal.tsx';
import { useDownload } from '../admin/owner-api.tsx';
import type { Filter, TimeWindow } from '../admin/report.ts';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { trpc } from '../api/trpc.ts';
import { SaleRow } from './conversions.tsx';

/** Selects the rows of one figure. */
export interface RowsQuery extends TimeWindow {
  filter: Filter | undefined;
  kind: NonNullable<Inputs['analytics']['rows']>['kind'];
  /** Name and value as shown on the card. */
  name: string;
  figure: string;
  /** Explains the figure. Touch screens show it in the dialog only. */
  hint: string;
}

/** A sale or a visitor's event. */
type ListedRow = Outputs['analytics']['rows']['rows'][number];

/** A modal dialog, open while mounted. */
export const RowsDialog = ({ query, onClose }: { query: RowsQuery; onClose: () => void }) => (
  <Modal title={`${query.name}: ${query.figure}`} size="wide" onClose={onClose}>
    <Text mb="2">{`${[query.hint, ...filterTexts(query.filter)].join('. ')}.`}</Text>
    <RowList query={query} />
  </Modal>
);

function RowList({ query }: { query: RowsQuery }) {
  const { client } = trpc.useUtils();
  const { kind, startDate, asOf, filter } = query;
  const { data, error, errorUpdateCount, isFetching, hasNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [routes['analytics.rows'].path, kind, startDate, asOf, filter],
      queryFn: ({ pageParam, signal }) =>
        client.analytics.rows.query(
          { kind, startDate, asOf, ...filter, after: pageParam },
          { signal },
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next,
    });
  useLeaveWhenSignedOut(error);
  const pages = data?.pages ?? [];
  const rows = pages.flatMap(({ rows }): ListedRow[] => rows);
  const counted = pages.at(-1)?.counted;
  const hasFailed = error !== null && !isFetching;
  // A retry of the first page clears `error`: the count keeps the button, and so the focus.
  const hasMore = hasNextPage || (errorUpdateCount > 0 && !data);
  const empty = isFetching ? 'Loading …' : 'No results yet.';
  const loaded = rows.length === 0 ? empty : shownOf(rows, hasMore);
  const state = hasFailed ? 'Could not load the rows.' : loaded;
  const end = useRef<HTMLParagraphElement>(null);
  const showMore = async () => {
    // Fetches the first page when that is the one that failed.
    const { isSuccess, hasNextPage } = await fetchNextPage();
    // After the last page the button is removed: keep the focus, and do not scroll past the new rows.
    if (isSuccess && !hasNextPage) end.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <Text textStyle="small" color="fg.muted" fontVariantNumeric="tabular-nums">
        {counted !== undefined && <span>{totalOf(query, counted)}</span>}
        <span>As of </span>
        <time dateTime={query.asOf}>{dateAndTime(query.asOf)}</time>
        <span>, newest first. </span>
        <Download query={query} />
      </Text>
      {rows.length > 0 && (
        <List.Root as="ol" mt="3" borderTop="1px solid {colors.hairline}">
          {rows.map((row, i) => (
            // Rows are only appended, and activity rows have no id.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Row key={i} row={row} />
          ))}
        </List.Root>
      )}
      <Flex wrap="wrap" align="center" columnGap="5" mt="4">
        {hasMore && (
          <Button
            type="button"
            aria-busy={isFetching}
            onClick={() => void (isFetching || showMore())}
          >
            {error || !data ? 'Try again' : 'Show more'}
          </Button>
        )}
        <Text ref={end} role="status" tabIndex={-1} outline="none" textStyle="small" py="2">
          {state}
        </Text>
      </Flex>
    </>
  );
}

function Row({ row }: { row: ListedRow }) {
  if ('conversionValue' in row) return <SaleRow conversion={row} />;
  const { timestamp, source, button } = row;
  return (
    <List.Item css={eventRow}>
      <time dateTime={timestamp}>{dateAndTime(timestamp)}</time>
      <span>{`Source: ${source ?? 'Direct'}`}</span>
      {button && <span>{`Button: ${buttonName(button)}`}</span>}
    </List.Item>
  );
}

const nouns = {
  page_view: 'page view',
  cta_click: 'CTA click',
  checkout_open: 'opened checkout',
  call_booked: 'booked call',
  sale: 'conversion',
} as const;

const totalOf = ({ kind }: RowsQuery, n: number) => `${pluralize(n, nouns[kind])}. `;

/** `Showing all 2. Fully refunded, not counted: 1.` */
function shownOf(rows: ListedRow[], hasMore: boolean): string {
  const shown = formatNumber(rows.length);
  const refunded = rows.filter((row) => 'isGivenBack' in row).length;
  return [
    hasMore ? `Showing the newest ${shown}.` : `Showing all ${shown}.`,
    ...(refunded > 0 ? [`Fully refunded, not counted: ${formatNumber(refunded)}.`] : []),
  ].join(' ');
}

/** A link to the rows as CSV. The activity file contains all kinds of events; no file is filtered. */
function Download({ query: { kind, startDate, asOf } }: { query: RowsQuery }) {
  const file = kind === 'sale' ? 'sales' : 'activity';
  const onDownload = useDownload();
  return (
    <Link
      href={`/api/analytics/${file}.csv?${new URLSearchParams({ startDate, asOf })}`}
      download
      onClick={onDownload}
      variant="underline"
      color="fg"
      fontWeight="600"
      whiteSpace="nowrap"
    >
      {`Download as CSV (all ${file})`}
    </Link>
  );
}

const eventRow = defineStyle({
  display: 'flex',
  flexWrap: 'wrap',
  columnGap: '6',
  py: '2.5',
  borderBottom: '1px solid {colors.hairline}',
  fontVariantNumeric: 'tabular-nums',
  textStyle: 'small',
  '& time': { flex: { base: '0 0 100%', sm: '0 0 10.5rem' } },
  '& span': { flex: { sm: '1 1 8rem' }, color: 'fg.muted', overflowWrap: 'anywhere' },
});
