/** Verifies that the counters equal the sums of the rows they count. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sourceNamed, sourcePath, sourceText } from '../../attribution/source-name.ts';
import { columns, computed, count, handTyped, unionAll } from '../../database/columns.ts';
import { all, type Database, get, type Statements } from '../../database/database.ts';
import { joined, sql } from '../../database/sql.ts';
import type { CounterCheck, Difference } from '../model.ts';
import { sourceWidths, widths } from '../time-window.ts';
import { addTo, allSources, bucketOf, countedButtons, kinds, nameOf } from './counters.ts';
import { eventHorizon } from './prune.ts';
import { moneySums } from './sales.ts';
import { currentName, direct } from './sources.ts';

const [minute] = widths;
const day = widths[2];

export interface CompareOptions {
  /** Corrects counters that earlier versions omit (`isOmitted`) instead of reporting them. */
  adopts?: boolean;
  /** Ends the comparison after the current day. */
  stopped?: AbortSignal;
}

/** Compares day by day, skipping days without rows or counters. Each day is read in one snapshot. */
export async function compareCounters(
  database: Database,
  { adopts = false, stopped }: CompareOptions = {},
): Promise<CounterCheck> {
  const check: CounterCheck = { checked: 0, adopted: 0, differences: [] };
  let from = await database.read(() => firstDay(Number.MIN_SAFE_INTEGER));
  while (from !== undefined && !stopped?.aborted) {
    const start = from;
    const day = await database.read(() => readDay(start));
    const { checked, differences } = compareDay(day);
    const adopted = adopts ? differences.filter(isOmitted(day)) : [];
    if (adopted.length > 0) check.adopted += await database.write(() => adoptDay(start));
    check.checked += checked;
    check.differences.push(...differences.filter((found) => !adopted.includes(found)));
    from = day.next;
    // A server in the same process must keep responding.
    await yieldToEventLoop();
  }
  return check;
}

/** Every source, and 0 for all of them, with every button. */
const buttonSeries = `(SELECT id, name FROM (SELECT id FROM source UNION ALL SELECT ${allSources}) AS ids
  CROSS JOIN ${countedButtons}) AS series`;

/** The earliest time of each kind of row and counter. */
const earliestTimes = [
  ...Object.values(kinds).map(
    (kind) => `SELECT min(at) AS at FROM event WHERE kind = ${kind} AND at >= ?`,
  ),
  'SELECT min(at) FROM conversion WHERE at >= ?',
  ...widths.map(
    (width) => `SELECT min(bucket) FROM counter
      WHERE source = ${allSources} AND width = ${width} AND bucket >= ?`,
  ),
  // One seek for each source: a join would read every later counter.
  ...sourceWidths.map(
    (width) => `SELECT min(first) FROM (
      SELECT (SELECT min(bucket) FROM counter
              WHERE counter.source = source.id AND width = ${width} AND bucket >= ?) AS first
      FROM source) AS each_source`,
  ),
  ...sourceWidths.map(
    (width) => `SELECT min(first) FROM (
      SELECT (SELECT min(bucket) FROM button_counter
              WHERE source = id AND button = name AND width = ${width} AND bucket >= ?) AS first
      FROM ${buttonSeries}) AS each_series`,
  ),
];
const firstAt = handTyped<{ at: number | null }>(
  sql`SELECT min(at) AS at FROM (${joined(earliestTimes, ' UNION ALL ')}) AS anything`,
);

/** Start of the first day at or after `from` that has anything to compare. */
function* firstDay(from: number): Statements<number | undefined> {
  const first = yield* get(
    firstAt,
    earliestTimes.map(() => from),
  );
  return first?.at == null ? undefined : bucketOf(first.at, day);
}

const zero = computed<number>(0);
const noText = computed<string | null>('CAST(NULL AS text)');

/** The minute of a row; rounds down for times before 1970 too. */
const bucket = computed<number>(`at - ((at % ${minute}) + ${minute}) % ${minute}`);
const width = computed<number>(minute);

const counterColumns = columns(
  'counter',
  { isCounter: computed<number>(1), text: noText, button: noText },
  ...(['source', 'width', 'bucket', 'kind', 'n', 'cents'] as const),
);
const buttonCounterColumns = columns(
  'button_counter',
  { isCounter: computed<number>(1), text: noText, button: computed<string | null>('button') },
  ...(['source', 'width', 'bucket', 'kind', 'n', 'cents'] as const),
);
const eventColumns = (button: string) =>
  columns(
    'event',
    { isCounter: zero, text: noText, button: computed<string | null>(button) },
    'source',
    { width, bucket },
    'kind',
    { n: count, cents: zero },
  );

/** The counters of a day, and its rows summed by minute. */
const partsOfDay = [
  ...widths.map(
    (width) => sql`SELECT ${counterColumns} FROM counter
      WHERE source = ${allSources} AND width = ${width} AND bucket >= ? AND bucket < ?`,
  ),
  ...sourceWidths.map(
    (width) => sql`SELECT ${counterColumns}
      FROM source ${{ sqlite: 'CROSS JOIN', postgres: 'JOIN' }} counter ON counter.source = source.id
      WHERE width = ${width} AND bucket >= ? AND bucket < ?`,
  ),
  ...sourceWidths.map(
    (width) => sql`SELECT ${buttonCounterColumns}
      FROM ${buttonSeries} ${{ sqlite: 'CROSS JOIN', postgres: 'JOIN' }} button_counter
        ON button_counter.source = id AND button = name
      WHERE width = ${width} AND bucket >= ? AND bucket < ?`,
  ),
  ...Object.values(kinds).map((kind) => {
    const button = kind === kinds.page_view ? 'CAST(NULL AS text)' : 'event.button';
    return sql`SELECT ${eventColumns(button)} FROM event
      WHERE kind = ${kind} AND at >= ? AND at < ?
      GROUP BY bucket, source, kind ${kind === kinds.page_view ? '' : ', event.button'}`;
  }),
  ...moneySums.map(({ kind, n, cents, where }) => {
    // The source text as the checkout reported it: the stored id is checked against it.
    const reported = { text: 'source', button: 'button', source: 'source_id' } as const;
    const sums = { kind: computed<number>(kind), n, cents };
    const saleColumns = { isCounter: zero, ...reported, width, bucket, ...sums };
    return sql`SELECT ${columns('conversion', saleColumns)} FROM conversion
      WHERE at >= ? AND at < ? AND ${where} GROUP BY bucket, conversion.source, source_id, conversion.button`;
  }),
];
const wholeDay = unionAll(partsOfDay);
const selectNames = sql`SELECT ${columns('source', 'id', 'name', 'parent')} FROM source`;

interface Day {
  rows: (typeof wholeDay)['rows'][];
  /** Display names of sources by id. */
  names: Map<number, string>;
  /** Sources of campaigns by the id of the campaign. */
  parents: Map<number, number>;
  /** Start of the next day with anything to compare. */
  next: number | undefined;
}

function* readDay(from: number): Statements<Day> {
  const rows = yield* all(
    wholeDay,
    partsOfDay.flatMap(() => [from, from + day]),
  );
  const horizon = (yield* eventHorizon()) ?? from;
  const sources = yield* all(selectNames);
  return {
    rows: from < horizon ? rows.filter(({ kind }) => !isEventKind(kind)) : rows,
    names: new Map(sources.map(({ id, name }) => [id, name ?? 'direct'])),
    parents: new Map(sources.flatMap(({ id, parent }) => (parent === null ? [] : [[id, parent]]))),
    next: yield* firstDay(from + day),
  };
}

/** An id that no source has. */
const unknownSource = -1;

const isEventKind = (kind: number) => Object.values(kinds).includes(kind);

/** A difference with the key of its counter. */
interface Found extends Difference {
  kind: number;
  sourceId: number;
}

/** Whether a counter is of a button, or of a source with campaigns: earlier versions may have omitted it. */
const isOmitted = ({ parents }: Day) => {
  const sources = new Set(parents.values());
  return ({ button, sourceId }: Found) => button !== undefined || sources.has(sourceId);
};

/**
 * Corrects the counters of a day that were omitted; returns their number. Reads the day again, because
 * another instance may have corrected it.
 */
function* adoptDay(from: number): Statements<number> {
  const day = yield* readDay(from);
  const missed = compareDay(day).differences.filter(isOmitted(day));
  if (missed.length > 0) yield* addTo(missed.map(correctionOf));
  return missed.length;
}

const correctionOf = ({ button, kind, sourceId, from, width, counter, rows }: Found) => ({
  source: sourceId,
  button,
  width,
  bucket: from,
  kind,
  n: rows.n - counter.n,
  cents: rows.cents - counter.cents,
});

function compareDay({ rows: sums, names, parents }: Day): {
  checked: number;
  differences: Found[];
} {
  const pairs = new Map<string, Found>();
  const pair = (
    kind: number,
    { source, button }: { source: number; button?: string | undefined },
    { from, width }: { from: number; width: number },
  ) => {
    const key = `${kind} ${source} ${from} ${width} ${button}`;
    const difference = pairs.get(key) ?? {
      what: nameOf(kind),
      kind,
      sourceId: source,
      button,
      source: source === allSources ? undefined : (names.get(source) ?? `source ${source}`),
      from,
      width,
      counter: { n: 0, cents: 0 },
      rows: { n: 0, cents: 0 },
    };
    pairs.set(key, difference);
    return difference;
  };
  const ids = new Map([...names].map(([id, name]) => [name, id]));
  const sourceOfSale = (text: string | null, id: number) => {
    const storedName = names.get(id);
    const isPersonal = text !== null && sourceText(text) !== text;
    // The stored source id counts until the nightly job cleans the name.
    if (isPersonal || (storedName !== undefined && currentName(storedName) !== storedName))
      return id;
    // Earlier versions ignored a slash in the text.
    if (storedName !== undefined && storedName === sourceNamed(text)) return id;
    const path = sourcePath(text);
    return path === null ? direct : (ids.get(path) ?? unknownSource);
  };
  for (const sum of sums) {
    const { isCounter, text, kind, source: id, bucket, width, n, cents } = sum;
    const button = sum.button || undefined;
    const source = isCounter || isEventKind(kind) ? id : sourceOfSale(text, id);
    if (isCounter) {
      const { counter } = pair(kind, { source, button }, { from: bucket, width });
      counter.n += n;
      counter.cents += cents;
      continue;
    }
    const pairsOf = (series: { source: number; button?: string }, sizes: readonly number[]) =>
      sizes.map((wide) => pair(kind, series, { from: bucketOf(bucket, wide), width: wide }));
    const parent = parents.get(source);
    const series = [allSources, source, ...(parent === undefined ? [] : [parent])].map(
      (counted) => ({ source: counted }),
    );
    const counters = [
      ...series.flatMap((one) => pairsOf(one, one.source === allSources ? widths : sourceWidths)),
      ...(button === undefined
        ? []
        : series.flatMap((one) => pairsOf({ ...one, button }, sourceWidths))),
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
