/** Computes totals from the counters, and from single rows at the ends of a window. */
import { columns, computed, count, handTyped, unionAll } from '../../database/columns.ts';
import { all, type Statements } from '../../database/database.ts';
import { integer } from '../../database/schema.ts';
import { joined, jsonArray, jsonRows, sql } from '../../database/sql.ts';
import type { ButtonTotals, SourceTotals, TimeWindow, Totals } from '../model.ts';
import { sourceWidths, splitWindow, type TimeSpan, widths } from '../time-window.ts';
import {
  allSources,
  countedButtons,
  type KindSum,
  kinds,
  moneyKinds,
  totalsOf,
} from './counters.ts';
import { moneySums } from './sales.ts';
import { everything, type Series } from './series.ts';
import { parentOf, type SourceOfRow } from './sources.ts';

/**
 * Totals of each window, exact to the millisecond; the cost does not grow with the number of rows, except that
 * of a series with the rows of a partial hour.
 */
export function* totalsOfEach(
  windows: readonly TimeWindow[],
  series: Series = everything,
): Statements<Totals[]> {
  const sums: KindSum[][] = [];
  const counted: (TimeSpan & { i: number })[] = [];
  for (const [i, window] of windows.entries()) {
    const parts = splitWindow(window, series === everything ? widths : sourceWidths);
    sums.push((yield* sumsOfRows(parts.filter(isRows))).filter(isIn(series)));
    counted.push(...parts.filter((part) => !isRows(part)).map((part) => ({ i, ...part })));
  }
  const { source, button } = series;
  const rows =
    button === undefined
      ? yield* all(sumsOfSpans, [valuesOf(counted), source])
      : yield* all(sumsOfButtonSpans, [valuesOf(counted), source, button]);
  for (const { i, sums: text } of rows) sums[i]?.push(...kindSumsIn(text));
  return sums.map(totalsOf);
}

/** Totals recounted from single rows; the cost grows with the window. */
export function* recount(window: TimeWindow, series: Series = everything): Statements<Totals> {
  return totalsOf((yield* sumsOfRows([window])).filter(isIn(series)));
}

/** Whether a sum is of this series. */
const isIn =
  ({ source, button }: Series) =>
  (sum: RowSum) =>
    [allSources, sum.source, sum.parent].includes(source) &&
    (button === undefined || button === sum.button);

/** A sum of one source, or of one campaign. */
interface SourceSum extends KindSum {
  source: number;
}

interface RowSum extends KindSum, SourceOfRow {
  button: string | null;
}

/**
 * Totals of each source and of its campaigns, from counters and single rows; of one button when `button` is
 * given.
 */
export function* totalsOfSources(window: TimeWindow, button?: string): Statements<SourceTotals[]> {
  const spans = splitWindow(window, sourceWidths);
  const counted = valuesOf(
    spans.filter((span) => !isRows(span)).map((span) => ({ i: 0, ...span })),
  );
  const sources =
    button === undefined
      ? yield* all(sumsOfSources, [counted])
      : yield* all(buttonSumsOfSources, [counted, button]);
  const rows = yield* sumsOfRows(spans.filter(isRows));
  return yield* bySource([
    ...rows.filter(isIn({ ...everything, button })).flatMap(withSource),
    ...sources.flatMap(({ id, sums }) =>
      sums === null ? [] : kindSumsIn(sums).map((sum) => ({ source: id, ...sum })),
    ),
  ]);
}

/** Totals of each button, from counters and single rows; those of one source when `source` is given. */
export function* totalsOfButtons(
  window: TimeWindow,
  source: number = allSources,
): Statements<ButtonTotals[]> {
  const spans = splitWindow(window, sourceWidths);
  const counted = spans.filter((span) => !isRows(span)).map((span) => ({ i: 0, ...span }));
  const buttons = yield* all(sumsOfButtons, [valuesOf(counted), source]);
  const rows = yield* sumsOfRows(spans.filter(isRows));
  return byButton([
    ...rows.filter(isIn({ ...everything, source })),
    ...buttons.flatMap(({ button, sums }) =>
      sums === null ? [] : kindSumsIn(sums).map((sum) => ({ button, ...sum })),
    ),
  ]);
}

/** Spans as a table. MATERIALIZED, so that the JSON is parsed once and not per counter. */
const spanTable = sql`WITH span AS MATERIALIZED (
  SELECT i, width, start, stop
  FROM ${jsonRows({ i: integer, width: integer, start: integer, stop: integer })} AS spans
)`;

const valuesOf = (spans: readonly (TimeSpan & { i: number })[]) =>
  JSON.stringify(spans.map(({ i, width, from, to }) => [i, width, from, to]));

/** Counters summed by kind, as JSON. GROUP BY would sort them first, at several times the cost. */
const sumsByKind = sql`CAST(${jsonArray}(${joined(
  Object.values({ ...kinds, ...moneyKinds }).map(
    (kind) => sql`${jsonArray}(${kind}, sum(n) FILTER (WHERE kind = ${kind}),
      sum(cents) FILTER (WHERE kind = ${kind}))`,
  ),
  ', ',
)}) AS text)`;

const sumsOfSpans = handTyped<{ i: number; sums: string }>(sql`${spanTable}
  SELECT i, (
    SELECT ${sumsByKind} FROM counter
    WHERE source = wanted AND counter.width = span.width
      AND bucket >= start AND bucket < stop
  ) AS sums
  FROM span CROSS JOIN (SELECT CAST(? AS bigint) AS wanted) AS series`);

const sumsOfButtonSpans = handTyped<{ i: number; sums: string }>(sql`${spanTable}
  SELECT i, (
    SELECT ${sumsByKind} FROM button_counter
    WHERE source = wanted AND button = wanted_button AND button_counter.width = span.width
      AND bucket >= start AND bucket < stop
  ) AS sums
  FROM span CROSS JOIN (SELECT CAST(? AS bigint) AS wanted, CAST(? AS text) AS wanted_button) AS series`);

/** The loop over the spans is the outer one. */
const inSpan = { sqlite: 'FROM span CROSS JOIN', postgres: 'FROM span JOIN' };

const sumsOfSource = computed<string | null>(sql`(
    SELECT ${sumsByKind} ${inSpan} counter
      ON source = source.id AND counter.width = span.width
      AND bucket >= start AND bucket < stop
    HAVING count(*) > 0
  )`);
const sumsOfSources = sql`${spanTable}
  SELECT ${columns('source', 'id', { sums: sumsOfSource })} FROM source`;

const buttonSumsOfSource = computed<string | null>(sql`(
    SELECT ${sumsByKind} ${inSpan} button_counter
      ON source = source.id AND button = wanted_button AND button_counter.width = span.width
      AND bucket >= start AND bucket < stop
    HAVING count(*) > 0
  )`);
const buttonSumsOfSources = sql`${spanTable}
  SELECT ${columns('source', 'id', { sums: buttonSumsOfSource })}
  FROM (SELECT CAST(? AS text) AS wanted_button) AS series CROSS JOIN source`;

const sumsOfButtons = handTyped<{ button: string; sums: string | null }>(sql`${spanTable}
  SELECT buttons.name AS button, (
    SELECT ${sumsByKind} ${inSpan} button_counter
      ON source = wanted AND button = buttons.name AND button_counter.width = span.width
      AND bucket >= start AND bucket < stop
    HAVING count(*) > 0
  ) AS sums
  FROM (SELECT CAST(? AS bigint) AS wanted) AS series CROSS JOIN ${countedButtons}`);

const kindSumsIn = (text: string): KindSum[] =>
  (JSON.parse(text) as [number, number | null, number | null][]).map(([kind, n, cents]) => ({
    kind,
    n: n ?? 0,
    cents: cents ?? 0,
  }));

/**
 * Totals of each source and of its campaigns, recounted from single rows; of one button when `button` is
 * given.
 */
export function* recountSources(window: TimeWindow, button?: string): Statements<SourceTotals[]> {
  const rows = yield* sumsOfRows([window]);
  return yield* bySource(rows.filter(isIn({ ...everything, button })).flatMap(withSource));
}

/** Totals of each button, recounted from single rows; those of one source when `source` is given. */
export function* recountButtons(
  window: TimeWindow,
  source: number = allSources,
): Statements<ButtonTotals[]> {
  const rows = yield* sumsOfRows([window]);
  return byButton(rows.filter(isIn({ ...everything, source })));
}

const isRows = ({ width }: TimeSpan) => width === 0;

/** The sum of a campaign, and the same one for its source. */
const withSource = ({ source, parent, ...sum }: RowSum): SourceSum[] =>
  (parent === null ? [source] : [source, parent]).map((id) => ({ ...sum, source: id }));

const namesOf = sql`SELECT ${columns('source', 'id', 'name', 'parent')} FROM source
  WHERE id IN (SELECT id FROM ${jsonRows({ id: integer })} AS wanted) ORDER BY id`;

function* bySource(sums: SourceSum[]): Statements<SourceTotals[]> {
  const grouped = new Map<number, SourceSum[]>();
  for (const sum of sums) grouped.set(sum.source, [...(grouped.get(sum.source) ?? []), sum]);
  const names = yield* all(namesOf, [JSON.stringify([...grouped.keys()].map((id) => [id]))]);
  const children = new Map<number | null, (typeof names)[number][]>();
  for (const row of names) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  const childrenOf = (wanted: number | null): SourceTotals[] =>
    (children.get(wanted) ?? [])
      .map(({ id, name }) => {
        const campaigns = wanted === null ? childrenOf(id) : [];
        const totals = totalsOf(grouped.get(id) ?? []);
        return { source: name, ...totals, ...(campaigns.length > 0 && { campaigns }) };
      })
      .filter(({ source: _, campaigns: __, ...totals }) =>
        Object.values(totals).some((n) => n !== 0),
      );
  return childrenOf(null);
}

/** Sums by button, sorted by name. */
function byButton(sums: (KindSum & { button: string | null })[]): ButtonTotals[] {
  const buttons = new Set(sums.flatMap(({ button }) => button ?? []));
  return [...buttons]
    .map((button) => ({ button, ...totalsOf(sums.filter((sum) => sum.button === button)) }))
    .filter(({ button: _, ...totals }) => Object.values(totals).some((n) => n !== 0))
    .sort((a, b) => (a.button < b.button ? -1 : 1));
}

const rowSums = unionAll([
  ...Object.values(kinds).map((kind) => {
    const button = computed<string | null>(kind === kinds.page_view ? 'NULL' : 'button');
    const sums = { kind: computed<number>(kind), n: count, cents: computed<number>(0) };
    const parent = parentOf('event.source');
    return sql`SELECT ${columns('event', 'source', { parent, button }, sums)} FROM event
      WHERE kind = ${kind} AND at >= ? AND at < ? GROUP BY source, button`;
  }),
  ...moneySums.map(({ kind, n, cents, where }) => {
    const sums = { kind: computed<number>(kind), n, cents };
    const ids = { source: 'source_id', parent: parentOf('conversion.source_id') } as const;
    return sql`SELECT ${columns('conversion', ids, 'button', sums)}
      FROM conversion WHERE at >= ? AND at < ? AND ${where} GROUP BY source_id, button`;
  }),
]);
const rowKinds = Object.keys(kinds).length + moneySums.length;

/** Sums by source, button and kind of the rows of these windows. */
function* sumsOfRows(windows: readonly TimeWindow[]): Statements<RowSum[]> {
  const sums: RowSum[] = [];
  for (const { from, to } of windows) {
    const values = Array.from({ length: rowKinds }, () => [from, to]).flat();
    sums.push(...(yield* all(rowSums, values)));
  }
  return sums;
}
