import { Box, chakra } from '@chakra-ui/react';
import { type CSSProperties, useContext, useState } from 'react';
import { Currency, useMoney } from '../admin/currency.ts';
import { wholeNumber } from '../admin/format.ts';
import { Note, Panel } from '../admin/panel.tsx';
import type { Line } from '../theme/page-css.ts';

/** The figures of one row. */
export interface Ranked {
  name: string;
  /** Chooses the row as a filter; undefined for the sum of the remaining rows. */
  value: string | undefined;
  /** Undefined when page views are not counted by row. */
  pageViews?: number | undefined;
  ctaClicks: number;
  callsBooked: number;
  conversions: number;
  revenue: number;
}

/** The table's columns, with the noun of each count. */
const columns = [
  { key: 'pageViews', name: 'Visits', noun: 'visit', line: 'blue' },
  { key: 'ctaClicks', name: 'Clicks', noun: 'click', line: 'red' },
  { key: 'callsBooked', name: 'Calls', noun: 'call' },
  { key: 'conversions', name: 'Sales', noun: 'sale', line: 'green' },
  { key: 'revenue', name: 'Revenue' },
] as const satisfies readonly { key: keyof Ranked; name: string; noun?: string; line?: Line }[];

/** A panel of figures by row, sorted by any of them. A press on a row chooses it, a second one ends that. */
export function Ranking({
  title,
  rowName,
  rows,
  chosen,
  onChoose,
  note,
}: {
  title: string;
  rowName: string;
  rows: Ranked[];
  /** The value of the chosen row. */
  chosen: string | undefined;
  onChoose: (value: string | undefined) => void;
  note: string;
}) {
  const money = useMoney();
  const currency = useContext(Currency);
  const [sortKey, setSortKey] = useState<(typeof columns)[number]['key']>('revenue');
  if (rows.length === 0) return null;
  const shown = columns.filter(({ key }) => rows.some((row) => row[key] !== undefined));
  const sorted = shown.find(({ key }) => key === sortKey) ?? columns[4];
  const figureIn = (row: Ranked) => row[sorted.key] ?? 0;
  const most = Math.max(...rows.map(figureIn), 0);
  // The sum of the remaining rows stays at the end.
  const ordered = rows.toSorted(
    (a, b) =>
      Number(a.value === undefined) - Number(b.value === undefined) || figureIn(b) - figureIn(a),
  );
  return (
    <Panel title={title}>
      <Box containerType="inline-size">
        <Table data-line={'line' in sorted ? sorted.line : undefined}>
          <thead>
            <tr>
              <th scope="col">{rowName}</th>
              {shown.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  aria-sort={column === sorted ? 'descending' : undefined}
                >
                  <button type="button" onClick={() => setSortKey(column.key)}>
                    {column.name}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ordered.map((row) => (
              <tr
                key={row.name}
                style={{ '--share': most > 0 ? figureIn(row) / most : 0 } as CSSProperties}
              >
                <th scope="row">
                  {row.value === undefined ? (
                    row.name
                  ) : (
                    <button
                      type="button"
                      aria-pressed={row.value === chosen}
                      onClick={() => onChoose(row.value === chosen ? undefined : row.value)}
                    >
                      {row.name}
                    </button>
                  )}
                </th>
                {shown.map((column) => {
                  const { key } = column;
                  const n = row[key] ?? 0;
                  return 'noun' in column ? (
                    <td key={key} data-noun={n === 1 ? column.noun : `${column.noun}s`}>
                      {wholeNumber(n)}
                    </td>
                  ) : (
                    <td key={key}>{money(n)}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </Table>
      </Box>
      <Note>
        {note} Revenue counts sales in {currency}, less refunds.
        {chosen !== undefined && ' The other rows stay for comparison.'}
      </Note>
    </Panel>
  );
}

/**
 * A bar behind each name shows its share of the largest value. On phones a row has two lines: the name with
 * its revenue, and the counts with their nouns. The button of a name covers its row.
 */
const Table = chakra('table', {
  base: {
    w: 'full',
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    lineHeight: '1.4',
    // Keeps each button in its row: WebKit ignores position: relative on rows
    // (https://bugs.webkit.org/show_bug.cgi?id=240961).
    '& tr': { transform: 'scale(1)', borderBottom: '1px solid {colors.hairline}' },
    '& :is(th, td)': { py: '2.5', ps: '4', textAlign: 'end', fontWeight: 'inherit' },
    '& :is(th, td):first-child': { w: '40%', ps: '0', textAlign: 'start' },
    '& thead': { textStyle: 'small', color: 'fg.muted' },
    '& thead button': {
      minH: '8',
      cursor: 'pointer',
      '@media (forced-colors: active)': { textDecoration: 'underline' },
      _hover: { textDecoration: 'underline', textUnderlineOffset: '4px' },
    },
    '& [aria-sort]': { color: 'fg', fontWeight: '700', _after: { content: '" ▾" / ""' } },
    '& tbody th': {
      '--bar': 'color-mix(in srgb, var(--line, {colors.fg}) 13%, transparent)',
      _dark: { '--bar': 'color-mix(in srgb, var(--line, {colors.fg}) 26%, transparent)' },
      bgImage: 'linear-gradient(var(--line, {colors.fg}) 0 0), linear-gradient(var(--bar) 0 0)',
      backgroundSize: '4px calc(100% - 12px), calc(var(--share) * 100%) calc(100% - 12px)',
      backgroundPosition: '0 6px',
      backgroundRepeat: 'no-repeat',
      printColorAdjust: 'exact',
      fontWeight: '600',
      overflowWrap: 'anywhere',
    },
    '& tbody th:first-child': { ps: '3' },
    '& tbody button': {
      cursor: 'pointer',
      textAlign: 'start',
      '@media (forced-colors: active)': { textDecoration: 'underline' },
      _after: { content: '""', position: 'absolute', inset: '0' },
      _hover: { textDecoration: 'underline', textUnderlineOffset: '4px' },
      _pressed: { textDecoration: 'underline 3px', textUnderlineOffset: '4px' },
      _focusVisible: { outline: 'none', _after: { outline: '3px solid var(--focus)' } },
    },
    '@container (max-width: 36rem)': { '& :is(th, td) + :is(th, td)': { ps: '2' } },
    '@container (max-width: 27rem)': {
      '&, & tbody': { display: 'block' },
      '& thead': { display: 'none' },
      '& tbody tr': { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', pb: '2' },
      '& tbody button': { minH: '11' },
      '& tbody :is(th, td)': { p: '0', ps: '0' },
      '& tbody :is(th, td):first-child': { flex: '1 1 60%', w: 'auto', ps: '3' },
      // A line break between the name with its revenue and the counts.
      '& tbody tr::after': { content: '""', order: -1, w: 'full' },
      '& tbody td:last-child': { order: -2, ms: 'auto', ps: '3', fontWeight: '700' },
      '& tbody th + td': { ps: '3' },
      '& tbody th': { order: -2 },
      '& td[data-noun]': { textStyle: 'small', color: 'fg.muted' },
      '& td[data-noun]::after': { content: '" " attr(data-noun)' },
      '& td[data-noun]:has(+ [data-noun])::after': {
        content: '" " attr(data-noun) " · "',
        whiteSpace: 'pre',
      },
    },
  },
});
