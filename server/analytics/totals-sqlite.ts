/** Adding up: the counters where there are some, of single rows at the ends of a window. */
import type { Tx } from '../database/sqlite.ts';
import { everySource, type KindSum, kinds, moneyKinds, totalsOf } from './counters-sqlite.ts';
import { moneySums } from './sales-sqlite.ts';
import type { SourceTotals, Totals, Window } from './store.ts';
import { type Span, sourceWidths, spansOf } from './window.ts';

type Reader = Pick<Tx, 'all'>;

/** The figures of each window, exact to the millisecond, at a cost that does not grow with the rows. */
export function totalsOfEach(tx: Reader, windows: readonly Window[]): Totals[] {
  const spans = windows.map((window) => spansOf(window));
  const sums: KindSum[][] = spans.map((parts) =>
    parts.filter(isRows).flatMap((part) => sumsOfRows(tx, part)),
  );
  const counted = spans.flatMap((parts, i) =>
    parts.filter((part) => !isRows(part)).map((part) => ({ i, ...part })),
  );
  const rows = tx.all<{ i: number; sums: string }>(
    `${givenSpans}
     SELECT i, (
       SELECT ${sumsByKind} FROM counter
       WHERE source = ${everySource} AND counter.width = span.width
         AND bucket >= start AND bucket < stop
     ) AS sums
     FROM span`,
    [valuesOf(counted)],
  );
  for (const { i, sums: text } of rows) sums[i]?.push(...kindSumsIn(text));
  return sums.map(totalsOf);
}

/** The same by counting single rows: exact for any window, at a cost that grows with it. */
export const recount = (tx: Reader, window: Window): Totals => totalsOf(sumsOfRows(tx, window));

interface SourceSum extends KindSum {
  source: number;
}

/** The figures of each source, the same way. */
export function totalsOfSources(tx: Reader, window: Window): SourceTotals[] {
  const spans = spansOf(window, sourceWidths);
  const counted = spans.filter((span) => !isRows(span)).map((span) => ({ i: 0, ...span }));
  const sources = tx.all<{ id: number; sums: string | null }>(
    `${givenSpans}
     SELECT id, (
       SELECT ${sumsByKind} FROM span CROSS JOIN counter
         ON source = source.id AND counter.width = span.width
         AND bucket >= start AND bucket < stop
       HAVING count(*) > 0
     ) AS sums
     FROM source`,
    [valuesOf(counted)],
  );
  return bySource(tx, [
    ...spans.filter(isRows).flatMap((span) => sumsOfRows(tx, span)),
    ...sources.flatMap(({ id, sums }) =>
      sums === null ? [] : kindSumsIn(sums).map((sum) => ({ source: id, ...sum })),
    ),
  ]);
}

/** Spans of windows as a table, read from JSON once and not for each counter. */
const givenSpans = `WITH span AS MATERIALIZED (
  SELECT value ->> 0 AS i, value ->> 1 AS width, value ->> 2 AS start, value ->> 3 AS stop
  FROM json_each(?)
)`;

const valuesOf = (spans: readonly (Span & { i: number })[]) =>
  JSON.stringify(spans.map(({ i, width, from, to }) => [i, width, from, to]));

/** Counters added up by kind, as JSON. A GROUP BY would sort them first, at several times the cost. */
const sumsByKind = `json_array(${Object.values({ ...kinds, ...moneyKinds })
  .map(
    (kind) => `${kind}, sum(n) FILTER (WHERE kind = ${kind}),
    sum(cents) FILTER (WHERE kind = ${kind})`,
  )
  .map((sum) => `json_array(${sum})`)})`;

const kindSumsIn = (text: string): KindSum[] =>
  (JSON.parse(text) as [number, number | null, number | null][]).map(([kind, n, cents]) => ({
    kind,
    n: n ?? 0,
    cents: cents ?? 0,
  }));

export const recountSources = (tx: Reader, window: Window): SourceTotals[] =>
  bySource(tx, sumsOfRows(tx, window));

const isRows = ({ width }: Span) => width === 0;

function bySource(tx: Reader, sums: SourceSum[]): SourceTotals[] {
  const grouped = new Map<number, SourceSum[]>();
  for (const sum of sums) grouped.set(sum.source, [...(grouped.get(sum.source) ?? []), sum]);
  const names = tx.all<{ id: number; name: string | null }>(
    'SELECT id, name FROM source WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
    [JSON.stringify([...grouped.keys()])],
  );
  return names
    .map(({ id, name }) => ({ source: name, ...totalsOf(grouped.get(id) ?? []) }))
    .filter(({ source: _, ...totals }) => Object.values(totals).some((n) => n !== 0));
}

function sumsOfRows(tx: Reader, { from, to }: Window): SourceSum[] {
  const marks = Object.values(kinds).flatMap((kind) =>
    tx.all<SourceSum>(
      `SELECT source, kind, count(*) AS n, 0 AS cents FROM mark
       WHERE kind = ? AND at >= ? AND at < ? GROUP BY source`,
      [kind, from, to],
    ),
  );
  const sales = moneySums.flatMap(({ kind, n, cents, where }) =>
    tx.all<SourceSum>(
      `SELECT source_id AS source, ${kind} AS kind, ${n} AS n, ${cents} AS cents FROM conversion
       WHERE at >= ? AND at < ? AND ${where} GROUP BY source_id`,
      [from, to],
    ),
  );
  return [...marks, ...sales];
}
