/** The rows behind a figure. This module is loaded when the first dialog opens. */
import { chakra } from '@chakra-ui/react';
import { useEffect, useId, useRef } from 'react';
import { dateAndTime, wholeNumber } from '../admin/format.ts';
import { dialog } from '../theme/dialog-recipe.ts';
import { Button } from '../ui/button.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import { SaleRow } from './conversions.tsx';
import { type ListedRow, useRowPages } from './use-row-pages.ts';
import type { RowsQuery } from './use-rows.ts';

/** A modal dialog, open while mounted. Esc and a click outside close it. */
export function RowsDialog({ query, onClose }: { query: RowsQuery; onClose: () => void }) {
  const id = useId();
  const root = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (root.current && !root.current.open) root.current.showModal();
    title.current?.focus();
  }, []);
  return (
    <Root ref={root} data-size="wide" closedby="any" aria-labelledby={id} onClose={onClose}>
      <button type="button" aria-label="Close" onClick={() => root.current?.close()}>
        <CloseIcon />
      </button>
      <chakra.h2 ref={title} id={id} textStyle="h3" pe="12" mb="2" tabIndex={-1}>
        {query.name}: {query.figure}
      </chakra.h2>
      <chakra.p mb="2">{query.hint}.</chakra.p>
      <List query={query} />
    </Root>
  );
}

function List({ query }: { query: RowsQuery }) {
  const { rows, counted, hasMore, isFetching, hasFailed, more } = useRowPages(query);
  const end = useRef<HTMLParagraphElement>(null);
  const showMore = async () => {
    // After the last page the button is removed: keep the focus, and do not scroll past the new rows.
    if (await more()) end.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <chakra.p textStyle="small" color="fg.muted" fontVariantNumeric="tabular-nums">
        {counted !== undefined && totalOf(query, counted)} As of{' '}
        <time dateTime={query.asOf}>{dateAndTime(query.asOf)}</time>, newest first.{' '}
        <Download query={query} />
      </chakra.p>
      {rows.length > 0 && (
        <Lines>
          {rows.map((row, i) => (
            // Rows are only appended, and activity rows have no id.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Row key={i} row={row} />
          ))}
        </Lines>
      )}
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="5" mt="4">
        {hasMore && (
          <Button
            type="button"
            aria-busy={isFetching}
            onClick={() => void (isFetching || showMore())}
          >
            {hasFailed ? 'Try again' : 'Show more'}
          </Button>
        )}
        <chakra.p ref={end} role="status" tabIndex={-1} outline="none" textStyle="small" py="2">
          {stateOf({ rows, hasMore, isFetching, hasFailed })}
        </chakra.p>
      </chakra.div>
    </>
  );
}

function Row({ row }: { row: ListedRow }) {
  if ('conversionValue' in row) return <SaleRow conversion={row} />;
  const { timestamp, source, control } = row;
  return (
    <Line>
      <time dateTime={timestamp}>{dateAndTime(timestamp)}</time>
      <span>Source: {source ?? 'Direct'}</span>
      {control && <span>Button: {control}</span>}
    </Line>
  );
}

const nouns = {
  page_view: 'page view',
  cta_click: 'CTA click',
  checkout_open: 'opened checkout',
  call_booked: 'booked call',
  sale: 'conversion',
} as const;

const totalOf = ({ kind }: RowsQuery, n: number) =>
  `${wholeNumber(n)} ${nouns[kind]}${n === 1 ? '' : 's'}. `;

function stateOf({
  rows,
  hasMore,
  isFetching,
  hasFailed,
}: {
  rows: ListedRow[];
  hasMore: boolean;
  isFetching: boolean;
  hasFailed: boolean;
}): string {
  if (hasFailed) return 'Could not load the rows. Try again.';
  if (rows.length === 0) return isFetching ? 'Loading …' : 'No results yet.';
  const shown = wholeNumber(rows.length);
  const refunded = rows.filter((row) => 'isGivenBack' in row).length;
  return [
    hasMore ? `Showing the newest ${shown}.` : `Showing all ${shown}.`,
    ...(refunded > 0 ? [`Fully refunded, not counted: ${wholeNumber(refunded)}.`] : []),
  ].join(' ');
}

/** A link to the rows as CSV. The activity file contains all kinds of events. */
function Download({ query: { kind, startDate, asOf } }: { query: RowsQuery }) {
  const file = kind === 'sale' ? 'sales' : 'activity';
  return (
    <chakra.a
      href={`/api/analytics/${file}.csv?${new URLSearchParams({ startDate, asOf })}`}
      download
      color="fg"
      fontWeight="600"
      textDecoration="underline"
      whiteSpace="nowrap"
    >
      Download as CSV{file === 'activity' && ' (all activity)'}
    </chakra.a>
  );
}

const Root = chakra('dialog', dialog, { forwardProps: ['closedby'] });

const Lines = chakra('ol', {
  base: {
    mt: '3',
    borderTop: '1px solid {colors.hairline}',
    // The dialog is narrower than the page; the time stays on one line.
    '& > li': { lg: { gridTemplateColumns: 'minmax(0, 4fr) 10.5rem minmax(0, 3fr) 7rem' } },
  },
});

const Line = chakra('li', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '6',
    py: '2.5',
    borderBottom: '1px solid {colors.hairline}',
    fontVariantNumeric: 'tabular-nums',
    textStyle: 'small',
    '& time': { flex: { base: '0 0 100%', sm: '0 0 10.5rem' } },
    '& span': { flex: { sm: '1 1 8rem' }, color: 'fg.muted', overflowWrap: 'anywhere' },
  },
});
