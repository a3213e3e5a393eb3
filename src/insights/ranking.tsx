import { Box, Button, chakra } from '@chakra-ui/react';
import { type CSSProperties, Fragment, useContext, useState } from 'react';
import { formatNumber } from '../../server/contract/numbers.ts';
import { Currency, useMoney } from '../admin/currency.ts';
import { Note, Panel } from '../admin/panel.tsx';
import type { Line } from '../theme/page-css.ts';
import { DownIcon } from '../ui/icons.tsx';

/** The figures of one row. */
export interface Ranked {
  name: string;
  /** Chooses the row as a filter; undefined for a sum of the remaining figures. */
  value: string | undefined;
  /** Undefined when page views are not counted by row. */
  pageViews?: number | undefined;
  ctaClicks: number;
  callsBooked: number;
  conversions: number;
  revenue: number;
  /** Rows with parts of these figures, shown below on request. */
  parts?: Ranked[] | undefined;
}

/** The table's columns, with the noun of each count. */
const columns = [
  { key: 'pageViews', name: 'Visits', noun: 'visit', line: 'blue' },
  { key: 'ctaClicks', name: 'Clicks', noun: 'click', line: 'red' },
  { key: 'callsBooked', name: 'Calls', noun: 'call' },
  { key: 'conversions', name: 'Sales', noun: 'sale', line: 'green' },
  { key: 'revenue', name: 'Revenue' },
] as const satisfies readonly {
  key: Exclude<keyof Ranked, 'parts'>;
  name: string;
  noun?: string;
  line?: Line;
}[];

/** Number of rows at first. */
const firstRows = 8;

/**
 * A panel of figures by row, sorted by any of them: the first ones, and all on request. A press on a row
 * chooses it, a second one ends that.
 */
export function Ranking({
  title,
  rowName,
  rows,
  partsName = '',
  chosen,
  onChoose,
  note,
}: {
  title: string;
  rowName: string;
  rows: Ranked[];
  /** What the parts of rows are. */
  partsName?: string;
  /** The value of the chosen row. */
  chosen: string | undefined;
  onChoose: (value: string | undefined) => void;
  note: string;
}) {
  const isChosen = ({ value }: Ranked) => value !== undefined && value === chosen;
  const money = useMoney();
  const currency = useContext(Currency);
  const [sortKey, setSortKey] = useState<(typeof columns)[number]['key']>('revenue');
  /** Names of the rows whose parts are shown: at first, those of the chosen part. */
  const [opened, setOpened] = useState(() =>
    rows.filter(({ parts }) => parts?.some(isChosen)).map(({ name }) => name),
  );
  const [isWhole, setIsWhole] = useState(false);
  if (rows.length === 0) return null;
  const shown = columns.filter(({ key }) => rows.some((row) => row[key] !== undefined));
  const sorted = shown.find(({ key }) => key === sortKey) ?? columns[4];
  const figureIn = (row: Ranked) => row[sorted.key] ?? 0;
  const most = Math.max(...rows.map(figureIn), 0);
  // Sums of the remaining figures stay at the end.
  const ordered = (rows: Ranked[]) =>
    rows.toSorted(
      (a, b) =>
        Number(a.value === undefined) - Number(b.value === undefined) || figureIn(b) - figureIn(a),
    );
  // A button in place of a single row would save nothing.
  const hasMore = rows.length > firstRows + 1;
  const listed = ordered(rows).filter(
    (row, i) => isWhole || !hasMore || i < firstRows || [row, ...(row.parts ?? [])].some(isChosen),
  );
  const toggle = (name: string) =>
    setOpened(opened.includes(name) ? opened.filter((one) => one !== name) : [...opened, name]);
  const rowOf = ({ parts = [], ...row }: Ranked, isPart = false) => (
    <tr
      data-part={isPart || undefined}
      style={{ '--share': most > 0 ? figureIn(row) / most : 0 } as CSSProperties}
    >
      <th scope="row">
        {row.value === undefined ? (
          row.name
        ) : (
          <button
            type="button"
            aria-pressed={isChosen(row)}
            onClick={() => onChoose(isChosen(row) ? undefined : row.value)}
          >
            {row.name}
          </button>
        )}
        {parts.length > 0 && (
          <button
            type="button"
            aria-expanded={opened.includes(row.name)}
            aria-label={`${partsName} of ${row.name}`}
            onClick={() => toggle(row.name)}
          >
            <DownIcon />
          </button>
        )}
      </th>
      {shown.map((column) => {
        const { key } = column;
        const n = row[key] ?? 0;
        return 'noun' in column ? (
          <td key={key} data-noun={n === 1 ? column.noun : `${column.noun}s`}>
            {formatNumber(n)}
          </td>
        ) : (
          <td key={key}>{money(n)}</td>
        );
      })}
    </tr>
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
            {listed.map((row) => (
              <Fragment key={row.name}>
                {rowOf(row)}
                {opened.includes(row.name) &&
                  ordered(row.parts ?? []).map((part) => (
                    <Fragment key={part.name}>{rowOf(part, true)}</Fragment>
                  ))}
              </Fragment>
            ))}
          </tbody>
        </Table>
      </Box>
      {hasMore && (
        <Button
          type="button"
          variant="plain"
          minH="11"
          mt="1"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? `Show ${firstRows}` : `Show all ${rows.length}`}
        </Button>
      )}
      <Note>
        {`${note} Revenue counts sales in ${currency}, less refunds.${chosen === undefined ? '' : ' The other rows stay for comparison.'}`}
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
      // Chromium repeats no other buttons in the head of each printed page.
      _print: { display: 'contents' },
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
    '& tbody [aria-expanded]': {
      position: 'relative',
      zIndex: '1',
      display: 'inline-flex',
      alignItems: 'center',
      justifyContent: 'center',
      w: '11',
      h: '11',
      my: '-3',
      verticalAlign: 'middle',
      color: 'fg.muted',
      _after: { content: 'none' },
      _hover: { color: 'fg' },
      _focusVisible: { outline: '3px solid var(--focus)', outlineOffset: '-6px' },
    },
    '& [aria-expanded=true] svg': { transform: 'rotate(180deg)' },
    '& tbody [data-part] th:first-child': { ps: '8', fontWeight: 'inherit' },
    '@container (max-width: 36rem)': { '& :is(th, td) + :is(th, td)': { ps: '2' } },
    '@container (max-width: 27rem)': {
      '&, & tbody': { display: 'block' },
      '& thead': { display: 'none' },
      '& tbody tr': { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', pb: '2' },
      '& tbody button': { minH: '11' },
      '& tbody :is(th, td)': { p: '0', ps: '0' },
      '& tbody :is(th, td):first-child': { flex: '1 1 60%', w: 'auto', ps: '3' },
      '& tbody [aria-expanded]': { my: '0' },
      // A line break between the name with its revenue and the counts.
      '& tbody tr::after': { content: '""', order: -1, w: 'full' },
      '& tbody td:last-child': { order: -2, ms: 'auto', ps: '3', fontWeight: '700' },
      '& tbody th + td': { ps: '3' },
      '& tbody th': { order: -2, minH: '11', alignContent: 'center' },
      '& td[data-noun]': { textStyle: 'small', color: 'fg.muted' },
      '& td[data-noun]::after': { content: '" " attr(data-noun)' },
      '& td[data-noun]:has(+ [data-noun])::after': {
        content: '" " attr(data-noun) " · "',
        whiteSpace: 'pre',
      },
    },
  },
});
