/** Computes totals from the counters, and from single rows at the ends of a window. */
import { all, type Statements } from '../database/database.ts';
import { joined, jsonArray, jsonRows, type Sql, sql } from '../database/sql.ts';
import { allSources, type KindSum, kinds, moneyKinds, totalsOf } from './counters-sql.ts';
import { moneySums } from './sales-sql.ts';
import type { SourceTotals, TimeWindow, Totals } from './store.ts';
import { sourceWidths, splitWindow, type TimeSpan } from './time-window.ts';

/** Totals of each window, exact to the millisecond; the cost does not grow with the number of rows. */
export function* totalsOfEach(windows: readonly TimeWindow[]): Statements<Totals[]> {
  const sums: KindSum[][] = [];
  const counted: (TimeSpan & { i: number })[] = [];
  for (const [i, window] of windows.entries()) {
    const parts = splitWindow(window);
    sums.push(yield* sumsOfRows(parts.filter(isRows)));
    counted.push(...parts.filter((part) => !isRows(part)).map((part) => ({ i, ...part })));
  }
  const rows = yield* all<{ i: number; sums: string }>(sumsOfSpans, [valuesOf(counted)]);
  for (const { i, sums: text } of rows) sums[i]?.push(...kindSumsIn(text));
  return sums.map(totalsOf);
}

/** Totals recounted from single rows; the cost grows with the window. */
export function* recount(window: TimeWindow): Statements<Totals> {
  return totalsOf(yield* sumsOfRows([window]));
}

interface SourceSum extends KindSum {
  source: number;
}

/** Totals of each source, from counters and single rows. */
export function* totalsOfSources(window: TimeWindow): Statements<SourceTotals[]> {
  const spans = splitWindow(window, sourceWidths);
  const counted = spans.filter((span) => !isRows(span)).map((span) => ({ i: 0, ...span }));
  const sources = yield* all<{ id: number; sums: string | null }>(sumsOfSources, [
    valuesOf(counted),
  ]);
  return yield* bySource([
    ...(yield* sumsOfRows(spans.filter(isRows))),
    ...sources.flatMap(({ id, sums }) =>
      sums === null ? [] : kindSumsIn(sums).map((sum) => ({ source: id, ...sum })),
    ),
  ]);
}

/** Spans as a table. MATERIALIZED, so that the JSON is parsed once and not per counter. */
const spanTable = sql`WITH span AS MATERIALIZED (
  SELECT i, width, start, stop
  FROM ${jsonRows({ i: 'integer', width: 'integer', start: 'integer', stop: 'integer' })} AS spans
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

const sumsOfSpans = sql`${spanTable}
  SELECT i, (
    SELECT ${sumsByKind} FROM counter
    WHERE source = ${allSources} AND counter.width = span.width
      AND bucket >= start AND bucket < stop
  ) AS sums
  FROM span`;

const sumsOfSources = sql`${spanTable}
  SELECT id, (
    SELECT ${sumsByKind} FROM span ${{ sqlite: 'CROSS JOIN', postgres: 'JOIN' }} counter
      ON source = source.id AND counter.width = span.width
      AND bucket >= start AND bucket < stop
    HAVING count(*) > 0
  ) AS sums
  FROM source`;

const kindSumsIn = (text: string): KindSum[] =>
  (JSON.parse(text) as [number, number | null, number | null][]).map(([kind, n, cents]) => ({
    kind,
    n: n ?? 0,
    cents: cents ?? 0,
  }));

/** Totals of each source, recounted from single rows. */
export function* recountSources(window: TimeWindow): Statements<SourceTotals[]> {
  return yield* bySource(yield* sumsOfRows([window]));
}

const isRows = ({ width }: TimeSpan) => width === 0;

const namesOf = sql`SELECT id, name FROM source
  WHERE id IN (SELECT id FROM ${jsonRows({ id: 'integer' })} AS wanted) ORDER BY id`;

function* bySource(sums: SourceSum[]): Statements<SourceTotals[]> {
  const grouped = new Map<number, SourceSum[]>();
  for (const sum of sums) grouped.set(sum.source, [...(grouped.get(sum.source) ?? []), sum]);
  const names = yield* all<{ id: number; name: string | null }>(namesOf, [
    JSON.stringify([...grouped.keys()].map((id) => [id])),
  ]);
  return names
    .map(({ id, name }) => ({ source: name, ...totalsOf(grouped.get(id) ?? []) }))
    .filter(({ source: _, ...totals }) => Object.values(totals).some((n) => n !== 0));
}

const rowSums: Sql = joined(
  [
    ...Object.values(kinds).map(
      (kind) => `SELECT source, ${kind} AS kind, count(*) AS n, 0 AS cents FROM mark
        WHERE kind = ${kind} AND at >= ? AND at < ? GROUP BY source`,
    ),
    ...moneySums.map(
      ({ kind, n, cents, where }) =>
        `SELECT source_id AS source, ${kind} AS kind, ${n} AS n, ${cents} AS cents FROM conversion
        WHERE at >= ? AND at < ? AND ${where} GROUP BY source_id`,
    ),
  ],
  ' UNION ALL ',
);
const rowKinds = Object.keys(kinds).length + moneySums.length;

/** Sums by source and kind of the rows of these windows. */
function* sumsOfRows(windows: readonly TimeWindow[]): Statements<SourceSum[]> {
  const sums: SourceSum[] = [];
  for (const { from, to } of windows) {
    const values = Array.from({ length: rowKinds }, () => [from, to]).flat();
    sums.push(...(yield* all<SourceSum>(rowSums, values)));
  }
  return sums;
}
