/** Computes totals from the counters, and from single rows at the ends of a window. */
import { columns, computed, count, handTyped, unionAll } from '../../database/columns.ts';
import { all, type Statements } from '../../database/database.ts';
import { integer } from '../../database/schema.ts';
import { joined, jsonArray, jsonRows, sql } from '../../database/sql.ts';
import type { SourceTotals, TimeWindow, Totals } from '../store.ts';
import { sourceWidths, splitWindow, type TimeSpan } from '../time-window.ts';
import { allSources, type KindSum, kinds, moneyKinds, totalsOf } from './counters.ts';
import { moneySums } from './sales.ts';

/** Totals of each window, exact to the millisecond; the cost does not grow with the number of rows. */
export function* totalsOfEach(windows: readonly TimeWindow[]): Statements<Totals[]> {
  const sums: KindSum[][] = [];
  const counted: (TimeSpan & { i: number })[] = [];
  for (const [i, window] of windows.entries()) {
    const parts = splitWindow(window);
    sums.push(yield* sumsOfRows(parts.filter(isRows)));
    counted.push(...parts.filter((part) => !isRows(part)).map((part) => ({ i, ...part })));
  }
  const rows = yield* all(sumsOfSpans, [valuesOf(counted)]);
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
  const sources = yield* all(sumsOfSources, [valuesOf(counted)]);
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
    WHERE source = ${allSources} AND counter.width = span.width
      AND bucket >= start AND bucket < stop
  ) AS sums
  FROM span`);

const sumsOfSource = computed<string | null>(sql`(
    SELECT ${sumsByKind} FROM span ${{ sqlite: 'CROSS JOIN', postgres: 'JOIN' }} counter
      ON source = source.id AND counter.width = span.width
      AND bucket >= start AND bucket < stop
    HAVING count(*) > 0
  )`);
const sumsOfSources = sql`${spanTable}
  SELECT ${columns('source', 'id', { sums: sumsOfSource })} FROM source`;

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

const namesOf = sql`SELECT ${columns('source', 'id', 'name')} FROM source
  WHERE id IN (SELECT id FROM ${jsonRows({ id: integer })} AS wanted) ORDER BY id`;

function* bySource(sums: SourceSum[]): Statements<SourceTotals[]> {
  const grouped = new Map<number, SourceSum[]>();
  for (const sum of sums) grouped.set(sum.source, [...(grouped.get(sum.source) ?? []), sum]);
  const names = yield* all(namesOf, [JSON.stringify([...grouped.keys()].map((id) => [id]))]);
  return names
    .map(({ id, name }) => ({ source: name, ...totalsOf(grouped.get(id) ?? []) }))
    .filter(({ source: _, ...totals }) => Object.values(totals).some((n) => n !== 0));
}

const rowSums = unionAll([
  ...Object.values(kinds).map((kind) => {
    const sums = { kind: computed<number>(kind), n: count, cents: computed<number>(0) };
    return sql`SELECT ${columns('mark', 'source', sums)} FROM mark
      WHERE kind = ${kind} AND at >= ? AND at < ? GROUP BY source`;
  }),
  ...moneySums.map(({ kind, n, cents, where }) => {
    const sums = { kind: computed<number>(kind), n, cents };
    return sql`SELECT ${columns('conversion', { source: 'source_id' }, sums)} FROM conversion
      WHERE at >= ? AND at < ? AND ${where} GROUP BY source_id`;
  }),
]);
const rowKinds = Object.keys(kinds).length + moneySums.length;

/** Sums by source and kind of the rows of these windows. */
function* sumsOfRows(windows: readonly TimeWindow[]): Statements<SourceSum[]> {
  const sums: SourceSum[] = [];
  for (const { from, to } of windows) {
    const values = Array.from({ length: rowKinds }, () => [from, to]).flat();
    sums.push(...(yield* all(rowSums, values)));
  }
  return sums;
}
