/** Adding up: the counters where there are some, of single rows at the ends of a window. */
import type { Tx } from '../database/sqlite.ts';
import { everySource, type KindSum, kinds, totalsOf } from './counters-sqlite.ts';
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
    parts.filter((part) => !isRows(part)).map(({ width, from, to }) => [i, width, from, to]),
  );
  const rows = tx.all<KindSum & { i: number }>(
    `SELECT span.value ->> 0 AS i, kind, sum(n) AS n, sum(cents) AS cents
     FROM json_each(?) AS span CROSS JOIN counter
       ON source = ${everySource} AND width = span.value ->> 1
       AND bucket >= span.value ->> 2 AND bucket < span.value ->> 3
     GROUP BY i, kind`,
    [JSON.stringify(counted)],
  );
  for (const { i, ...sum } of rows) sums[i]?.push(sum);
  return sums.map(totalsOf);
}

/** The same by counting single rows: exact for any window, at a cost that grows with it. */
export const recount = (tx: Reader, window: Window): Totals => totalsOf(sumsOfRows(tx, window));

interface SourceSum extends KindSum {
  source: number;
}

/** The figures of each source, the same way. */
export function totalsOfSources(tx: Reader, window: Window): SourceTotals[] {
  return bySource(
    tx,
    spansOf(window, sourceWidths).flatMap((span) =>
      isRows(span)
        ? sumsOfRows(tx, span)
        : tx.all<SourceSum>(
            `SELECT counter.source, kind, sum(n) AS n, sum(cents) AS cents
             FROM source CROSS JOIN counter
               ON counter.source = source.id AND width = ? AND bucket >= ? AND bucket < ?
             GROUP BY counter.source, kind`,
            [span.width, span.from, span.to],
          ),
    ),
  );
}

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
