/** Whether the counters say what the rows say. */
import { sourceNamed } from '../attribution/source-name.ts';
import type { Sqlite } from '../database/sqlite.ts';
import { bucketOf, everySource, type KindSum, kinds, nameOf } from './counters-sqlite.ts';
import { markHorizon } from './prune-sqlite.ts';
import { moneySums } from './sales-sqlite.ts';
import { direct } from './sources-sqlite.ts';
import type { CounterCheck, Difference } from './store.ts';
import { sourceWidths, widths } from './window.ts';

const [minute] = widths;
const day = widths[2];

interface Row extends KindSum {
  /** Of sales their source as the checkout wrote it: their number is what is to be checked. */
  text: string | null;
  isCounter: number;
  source: number;
  width: number;
  bucket: number;
}

/** Goes from day to day that has rows or counters: each is one statement, so one moment's truth. */
export async function compareCounters(database: Sqlite): Promise<CounterCheck> {
  const check: CounterCheck = { checked: 0, differences: [] };
  let from = firstDay(database, Number.MIN_SAFE_INTEGER);
  while (from !== undefined) {
    const { checked, differences } = compareDay(rowsOfDay(database, from), namesOf(database));
    check.checked += checked;
    check.differences.push(...differences);
    from = firstDay(database, from + day);
    // A server beside it, or around it, goes on between two days.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return check;
}

/** Start of the first day, not before `from`, on which there is anything to compare. */
function firstDay(database: Sqlite, from: number): number | undefined {
  const sources = [
    ...Object.values(kinds).map(
      (kind) => `SELECT min(at) AS at FROM mark WHERE kind = ${kind} AND at >= ?`,
    ),
    'SELECT min(at) FROM conversion WHERE at >= ?',
    ...widths.map(
      (width) => `SELECT min(bucket) FROM counter
        WHERE source = ${everySource} AND width = ${width} AND bucket >= ?`,
    ),
    // One seek for each source: a join would read every later counter.
    ...sourceWidths.map(
      (width) => `SELECT min(first) FROM (
        SELECT (SELECT min(bucket) FROM counter WHERE source = id AND width = ${width} AND bucket >= ?)
          AS first FROM source)`,
    ),
  ];
  const first = database.read((tx) =>
    tx.get<{ at: number | null }>(
      `SELECT min(at) AS at FROM (${sources.join(' UNION ALL ')})`,
      sources.map(() => from),
    ),
  );
  return first?.at == null ? undefined : bucketOf(first.at, day);
}

/** The counters of a day, and its rows summed by the minute. */
function rowsOfDay(database: Sqlite, from: number): Row[] {
  // Rounds down before 1970 as well.
  const bucket = `at - ((at % ${minute}) + ${minute}) % ${minute}`;
  const parts = [
    ...widths.map(
      (
        width,
      ) => `SELECT 1 AS isCounter, NULL AS text, source, width, bucket, kind, n, cents FROM counter
        WHERE source = ${everySource} AND width = ${width} AND bucket >= ? AND bucket < ?`,
    ),
    ...sourceWidths.map(
      (width) => `SELECT 1, NULL, source, width, bucket, kind, n, cents
        FROM source CROSS JOIN counter ON counter.source = source.id
        WHERE width = ${width} AND bucket >= ? AND bucket < ?`,
    ),
    ...Object.values(kinds).map(
      (kind) => `SELECT 0, NULL, source, ${minute}, ${bucket} AS start, kind, count(*), 0 FROM mark
        WHERE kind = ${kind} AND at >= ? AND at < ? GROUP BY start, source`,
    ),
    ...moneySums.map(
      ({
        kind,
        n,
        cents,
        where,
      }) => `SELECT 0, source, ${direct}, ${minute}, ${bucket} AS start, ${kind}, ${n}, ${cents}
        FROM conversion WHERE at >= ? AND at < ? AND ${where} GROUP BY start, source`,
    ),
  ];
  return database.read((tx) => {
    const rows = tx.all<Row>(
      parts.join(' UNION ALL '),
      parts.flatMap(() => [from, from + day]),
    );
    const isPruned = from < (markHorizon(tx) ?? from);
    return isPruned ? rows.filter(({ kind }) => !isOfMarks(kind)) : rows;
  });
}

/** What people call the sources. */
function namesOf(database: Sqlite): Map<number, string> {
  const rows = database.read((tx) =>
    tx.all<{ id: number; name: string | null }>('SELECT id, name FROM source'),
  );
  return new Map(rows.map(({ id, name }) => [id, name ?? 'direct']));
}

/** No source has this number. */
const unknown = -1;

const isOfMarks = (kind: number) => Object.values(kinds).includes(kind);

function compareDay(found: Row[], names: Map<number, string>): CounterCheck {
  const pairs = new Map<string, Difference>();
  const pair = (kind: number, source: number, from: number, width: number) => {
    const key = `${kind} ${source} ${from} ${width}`;
    const made = pairs.get(key) ?? {
      what: nameOf(kind),
      source: source === everySource ? undefined : (names.get(source) ?? `source ${source}`),
      from,
      width,
      counter: { n: 0, cents: 0 },
      rows: { n: 0, cents: 0 },
    };
    pairs.set(key, made);
    return made;
  };
  const ids = new Map([...names].map(([id, name]) => [name, id]));
  for (const { isCounter, text, kind, source: id, bucket, width, n, cents } of found) {
    const name = sourceNamed(text);
    const source = name === null ? id : (ids.get(name) ?? unknown);
    if (isCounter) {
      pair(kind, source, bucket, width).counter = { n, cents };
      continue;
    }
    const counters = [
      ...widths.map((wide) => pair(kind, everySource, bucketOf(bucket, wide), wide)),
      ...sourceWidths.map((wide) => pair(kind, source, bucketOf(bucket, wide), wide)),
    ];
    for (const { rows } of counters) {
      rows.n += n;
      rows.cents += cents;
    }
  }
  const all = [...pairs.values()];
  return {
    checked: all.length,
    differences: all
      .filter(({ counter, rows }) => counter.n !== rows.n || counter.cents !== rows.cents)
      .sort((a, b) => a.from - b.from || a.width - b.width),
  };
}
