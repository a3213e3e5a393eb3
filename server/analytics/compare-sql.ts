/** Whether the counters say what the rows say. */
import { sourceNamed, sourceText } from '../attribution/source-name.ts';
import { all, type Database, get, type Statements } from '../database/database.ts';
import { joined, type Sql, sql } from '../database/sql.ts';
import { bucketOf, everySource, type KindSum, kinds, nameOf } from './counters-sql.ts';
import { eventHorizon } from './prune-sql.ts';
import { moneySums } from './sales-sql.ts';
import { currentName, direct } from './sources-sql.ts';
import type { CounterCheck, Difference } from './store.ts';
import { sourceWidths, widths } from './time-window.ts';

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

/** Goes from day to day that has rows or counters. What is read of each is of one moment. */
export async function compareCounters(database: Database): Promise<CounterCheck> {
  const check: CounterCheck = { checked: 0, differences: [] };
  let from = await database.read(() => firstDay(Number.MIN_SAFE_INTEGER));
  while (from !== undefined) {
    const start = from;
    const day = await database.read(() => readDay(start));
    const { checked, differences } = compareDay(day);
    check.checked += checked;
    check.differences.push(...differences);
    from = day.next;
    // A server beside it, or around it, goes on between two days.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return check;
}

/** The first of anything there is, of each kind of row and counter. */
const firsts = [
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
      SELECT (SELECT min(bucket) FROM counter
              WHERE counter.source = source.id AND width = ${width} AND bucket >= ?) AS first
      FROM source) AS each_source`,
  ),
];
const firstAt = sql`SELECT min(at) AS at FROM (${joined(firsts, ' UNION ALL ')}) AS anything`;

/** Start of the first day, not before `from`, on which there is anything to compare. */
function* firstDay(from: number): Statements<number | undefined> {
  const first = yield* get<{ at: number | null }>(
    firstAt,
    firsts.map(() => from),
  );
  return first?.at == null ? undefined : bucketOf(first.at, day);
}

/** Start of the minute; rounds down before 1970 as well. */
const startOfMinute = `at - ((at % ${minute}) + ${minute}) % ${minute}`;

/** The counters of a day, and its rows summed by the minute. */
const partsOfDay: (string | Sql)[] = [
  ...widths.map(
    (
      width,
    ) => `SELECT 1 AS "isCounter", CAST(NULL AS text) AS text, source, width, bucket, kind, n, cents
      FROM counter
      WHERE source = ${everySource} AND width = ${width} AND bucket >= ? AND bucket < ?`,
  ),
  ...sourceWidths.map(
    (width) => sql`SELECT 1, NULL, source, width, bucket, kind, n, cents
      FROM source ${{ sqlite: 'CROSS JOIN', postgres: 'JOIN' }} counter ON counter.source = source.id
      WHERE width = ${width} AND bucket >= ? AND bucket < ?`,
  ),
  ...Object.values(kinds).map(
    (kind) => `SELECT 0, NULL, source, ${minute}, ${startOfMinute} AS start, kind, count(*), 0
      FROM mark
      WHERE kind = ${kind} AND at >= ? AND at < ? GROUP BY start, source, kind`,
  ),
  ...moneySums.map(
    ({ kind, n, cents, where }) =>
      `SELECT 0, source, source_id, ${minute}, ${startOfMinute} AS start, ${kind}, ${n}, ${cents}
      FROM conversion WHERE at >= ? AND at < ? AND ${where} GROUP BY start, source, source_id`,
  ),
];
const wholeDay = joined(partsOfDay, ' UNION ALL ');

interface Day {
  rows: Row[];
  /** What people call the sources. */
  names: Map<number, string>;
  /** Start of the next day with anything to compare. */
  next: number | undefined;
}

function* readDay(from: number): Statements<Day> {
  const found = yield* all<Row>(
    wholeDay,
    partsOfDay.flatMap(() => [from, from + day]),
  );
  const horizon = (yield* eventHorizon()) ?? from;
  const sources = yield* all<{ id: number; name: string | null }>('SELECT id, name FROM source');
  return {
    rows: from < horizon ? found.filter(({ kind }) => !isOfMarks(kind)) : found,
    names: new Map(sources.map(({ id, name }) => [id, name ?? 'direct'])),
    next: yield* firstDay(from + day),
  };
}

/** No source has this number. */
const unknown = -1;

const isOfMarks = (kind: number) => Object.values(kinds).includes(kind);

function compareDay({ rows: found, names }: Day): CounterCheck {
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
  const sourceOfSale = (text: string | null, id: number) => {
    const kept = names.get(id);
    const isPersonal = text !== null && sourceText(text) !== text;
    // Counted as it was stored, until the nightly job cleans it.
    if (isPersonal || (kept !== undefined && currentName(kept) !== kept)) return id;
    const name = sourceNamed(text);
    return name === null ? direct : (ids.get(name) ?? unknown);
  };
  for (const { isCounter, text, kind, source: id, bucket, width, n, cents } of found) {
    const source = isCounter || isOfMarks(kind) ? id : sourceOfSale(text, id);
    if (isCounter) {
      const { counter } = pair(kind, source, bucket, width);
      counter.n += n;
      counter.cents += cents;
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
