import { chakra } from '@chakra-ui/react';
import { type CSSProperties, useContext, useState } from 'react';
import { Currency, useMoney } from '../admin/currency.ts';
import { wholeNumber } from '../admin/format.ts';
import { Note, Panel } from '../admin/panel.tsx';
import type { Line } from '../theme/page-css.ts';
import type { Source } from './use-insights.ts';

/** The table's columns, with the noun of each count. */
const columns = [
  { key: 'pageViews', name: 'Visits', noun: 'visit', line: 'blue' },
  { key: 'ctaClicks', name: 'Clicks', noun: 'click', line: 'red' },
  { key: 'callsBooked', name: 'Calls', noun: 'call' },
  { key: 'conversions', name: 'Sales', noun: 'sale', line: 'green' },
  { key: 'revenue', name: 'Revenue' },
] as const satisfies readonly { key: keyof Source; name: string; noun?: string; line?: Line }[];

type Column = (typeof columns)[number];

/** Visits, clicks, booked calls, sales and revenue by source, sorted by any of them. */
export function SourcesPanel({ sources }: { sources: Source[] }) {
  const money = useMoney();
  const currency = useContext(Currency);
  const [sorted, setSorted] = useState<Column>(columns[4]);
  if (sources.length === 0) return null;
  const most = Math.max(...sources.map((source) => source[sorted.key]), 0);
  // The sum of the remaining sources stays at the end.
  const rows = sources.toSorted(
    (a, b) => Number(a.merged ?? 0) - Number(b.merged ?? 0) || b[sorted.key] - a[sorted.key],
  );
  return (
    <Panel title="Sources">
      <Table data-line={'line' in sorted ? sorted.line : undefined}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={column === sorted ? 'descending' : undefined}
              >
                <button type="button" onClick={() => setSorted(column)}>
                  {column.name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((source) => (
            <tr
              key={nameOf(source)}
              style={{ '--share': most > 0 ? source[sorted.key] / most : 0 } as CSSProperties}
            >
              <th scope="row">{nameOf(source)}</th>
              {columns.map((column) => {
                const { key } = column;
                const n = source[key];
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
      <Note>
        Visits, clicks and booked calls count for the source of the visitor’s first view that day.
        Sales count for the buyer’s last source within 30 days. Revenue counts those in {currency},
        less refunds.
      </Note>
    </Panel>
  );
}

function nameOf({ source, merged }: Source): string {
  if (merged) return merged === 1 ? '1 more source' : `${wholeNumber(merged)} more sources`;
  return source ?? 'Direct';
}

/**
 * A bar behind each name shows its share of the largest value. On phones a row has two lines: the name with
 * its revenue, and the counts with their nouns.
 */
const Table = chakra('table', {
  base: {
    w: 'full',
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    lineHeight: '1.4',
    '& tr': { borderBottom: '1px solid {colors.hairline}' },
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
    '& tbody th': { position: 'relative', fontWeight: '600', overflowWrap: 'anywhere' },
    '& tbody :is(th, td):first-child': { ps: '3' },
    '& tbody th::before': {
      content: '""',
      position: 'absolute',
      insetY: '6px',
      insetStart: '0',
      w: 'calc(var(--share) * 100%)',
      borderInlineStart: '4px solid var(--line, {colors.fg})',
      bg: 'color-mix(in srgb, var(--line, {colors.fg}) 13%, transparent)',
      _dark: { bg: 'color-mix(in srgb, var(--line, {colors.fg}) 26%, transparent)' },
      printColorAdjust: 'exact',
      zIndex: '-1',
    },
    mdDown: {
      '&, & tbody': { display: 'block' },
      '& thead': { display: 'none' },
      '& tbody tr': { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', py: '2' },
      '& tbody :is(th, td)': { p: '0', ps: '0' },
      '& tbody :is(th, td):first-child': { flex: '1 1 60%', w: 'auto', ps: '3', py: '1' },
      '& tbody td:last-child': { order: -1, ms: 'auto', ps: '3', fontWeight: '700' },
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
