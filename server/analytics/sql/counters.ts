/**
 * Roll-up counters: events and sales summed by minute, hour and day, in total and by source; those with a
 * button by hour and day, by button and source. Those of a campaign count for it and for its source.
 */
import { randomInt } from 'node:crypto';
import { columns } from '../../database/columns.ts';
import { all, run, type Statements } from '../../database/database.ts';
import { integer, type Row, schema } from '../../database/schema.ts';
import { jsonRows, type Sql, sql } from '../../database/sql.ts';
import type { Activity, Sum, TimeWindow, Totals } from '../model.ts';
import { sourceWidths, widths } from '../time-window.ts';
import type { SourceOfRow } from './sources.ts';

/** Numbers of the activity kinds in the database. */
export const kinds: Record<Activity, number> = {
  page_view: 1,
  cta_click: 2,
  checkout_open: 3,
  call_booked: 7,
};
export const moneyKinds = { sale: 4, refund: 5, dispute: 6 } as const;

/** The source id under which the counters of all sources together are stored. */
export const allSources = 0;

/** The totals that a kind's count and cents add to. */
const totalColumns: Record<number, { n?: keyof Totals; cents?: keyof Totals }> = {
  [kinds.page_view]: { n: 'pageViews' },
  [kinds.cta_click]: { n: 'ctaClicks' },
  [kinds.checkout_open]: { n: 'checkoutOpens' },
  [kinds.call_booked]: { n: 'callsBooked' },
  [moneyKinds.sale]: { n: 'conversions', cents: 'revenue' },
  [moneyKinds.refund]: { cents: 'refunded' },
  [moneyKinds.dispute]: { cents: 'disputed' },
};

/** Returns the display name of a kind. */
export function nameOf(kind: number): string {
  const named = Object.entries({ ...kinds, ...moneyKinds }).find(([, number]) => number === kind);
  return named?.[0] ?? `kind ${kind}`;
}

export interface KindSum extends Sum {
  kind: number;
}

/** Something to count; negative numbers subtract. */
export interface Counted extends KindSum, SourceOfRow {
  at: number;
  /** The call-to-action that it is counted for; null for none. */
  button: string | null;
}

/**
 * Each instance adds to its own slot of a counter, so that concurrent instances do not contend for the
 * row locks of the current minute; reads sum all slots. Slots are random: two instances with the same one
 * only wait for each other's locks. Slot 0 belongs to serialized writes (`Database.write`).
 */
const sharedSlot = 0;
const ownSlot = randomInt(1, 16);

/**
 * Adds to the counters of every width, in the transaction that adds the rows they count. Each counter
 * is updated once, not once per row. `concurrent` is for transactions of `Database.append`.
 */
export function* count(counted: readonly Counted[], { concurrent = false } = {}): Statements<void> {
  const slot = concurrent ? ownSlot : sharedSlot;
  const [sums, ofButtons] = [createSums(slot), createSums(slot)];
  for (const one of mergedByMinute(counted)) {
    const { source, parent, button } = one;
    const sources = parent === null ? [source] : [source, parent];
    for (const width of widths) sums.add([allSources], width, one);
    for (const width of sourceWidths) for (const id of sources) sums.add([id], width, one);
    if (button === null || button === '' || one.kind === kinds.page_view) continue;
    for (const width of sourceWidths) {
      for (const id of [allSources, ...sources]) ofButtons.add([id, button], width, one);
    }
  }
  yield* sums.addTo(addToCounters);
  yield* ofButtons.addTo(addToButtonCounters);
}

/** Sums by the first columns of a table of counters, its width, bucket and kind. */
function createSums(slot: number) {
  const sums = new Map<string, { key: (string | number)[]; n: number; cents: number }>();
  return {
    add(
      series: (string | number)[],
      width: number,
      { at, kind, n, cents }: Omit<Counted, keyof SourceOfRow | 'button'>,
    ) {
      const key = [...series, width, bucketOf(at, width), kind];
      const sum = sums.get(key.join(' '));
      if (!sum) return void sums.set(key.join(' '), { key, n, cents });
      sum.n += n;
      sum.cents += cents;
    },
    *addTo(statement: Sql): Statements<void> {
      if (sums.size === 0) return;
      const rows = [...sums.values()].map(({ key, n, cents }) => [...key, n, cents, slot]);
      yield* run(statement, [JSON.stringify(rows)]);
    },
  };
}

/**
 * Adds rows to a table of counters. SQLite has one writer and needs no slots. On PostgreSQL all writers lock
 * counters in the same order, which prevents deadlocks. Without `WHERE true`, SQLite parses ON CONFLICT as a
 * join's ON clause.
 */
function additionTo(table: 'counter' | 'button_counter'): Sql {
  const rows = jsonRows(schema[table]);
  const key = Object.keys(schema[table])
    .filter((name) => !['n', 'cents', 'slot'].includes(name))
    .join(', ');
  return {
    sqlite: `INSERT INTO ${table} (${key}, n, cents)
      SELECT ${key}, n, cents FROM ${rows.sqlite} WHERE true
      ON CONFLICT (${key}) DO UPDATE SET n = n + excluded.n, cents = cents + excluded.cents`,
    postgres: `INSERT INTO ${table} (${key}, slot, n, cents)
      SELECT ${key}, slot, n, cents FROM ${rows.postgres} AS added ORDER BY ${key}
      ON CONFLICT (${key}, slot) DO UPDATE
      SET n = ${table}.n + excluded.n, cents = ${table}.cents + excluded.cents`,
  };
}

const addToCounters = additionTo('counter');
const addToButtonCounters = additionTo('button_counter');

/** Adds to counters; to those of buttons, where a button is given. */
export function* addTo(
  rows: readonly (Omit<Row<'counter'>, 'slot'> & { button: string | undefined })[],
): Statements<void> {
  const [sums, ofButtons] = [createSums(sharedSlot), createSums(sharedSlot)];
  for (const { source, button, width, bucket: at, kind, n, cents } of rows) {
    const [table, series] = button === undefined ? [sums, [source]] : [ofButtons, [source, button]];
    table.add(series, width, { at, kind, n, cents });
  }
  yield* sums.addTo(addToCounters);
  yield* ofButtons.addTo(addToButtonCounters);
}

/** The names of the buttons that have counters, as a table. Finds them by its key, without reading it. */
export const countedButtons = `(WITH RECURSIVE used (name) AS (
    SELECT min(button) FROM button_counter WHERE source = ${allSources}
    UNION ALL
    SELECT (SELECT min(button) FROM button_counter
      WHERE source = ${allSources} AND button > name)
    FROM used WHERE name IS NOT NULL
  ) SELECT name FROM used WHERE name IS NOT NULL) AS buttons`;

/** Moves the counters of these sources (JSON rows of one id) to `target`; the window is whole days. */
export function* moveCounters(
  { sources, target }: { sources: string; target: number },
  { from, to }: TimeWindow,
): Statements<void> {
  const [sums, ofButtons] = [createSums(sharedSlot), createSums(sharedSlot)];
  for (const { width, bucket: at, ...counter } of yield* all(deletedFrom, [sources, from, to])) {
    sums.add([target], width, { at, ...counter });
  }
  for (const { button, width, bucket: at, ...counter } of yield* all(deletedFromButtons, [
    sources,
    from,
    to,
  ])) {
    ofButtons.add([target, button], width, { at, ...counter });
  }
  yield* sums.addTo(addToCounters);
  yield* ofButtons.addTo(addToButtonCounters);
}

const ofMoved = sql`WHERE source IN (SELECT id FROM ${jsonRows({ id: integer })} AS moved)
  AND width IN (${sourceWidths.join(', ')}) AND bucket >= ? AND bucket < ?`;
const moved = ['width', 'bucket', 'kind', 'n', 'cents'] as const;
const deletedFrom = sql`DELETE FROM counter ${ofMoved} RETURNING ${columns('counter', ...moved)}`;
const deletedFromButtons = sql`DELETE FROM button_counter ${ofMoved}
  RETURNING ${columns('button_counter', 'button', ...moved)}`;

/** Merges entries of the same source, button, kind and minute. */
function mergedByMinute(counted: readonly Counted[]): Iterable<Counted> {
  const merged = new Map<string, Counted>();
  for (const one of counted) {
    const at = bucketOf(one.at, widths[0]);
    const key = `${one.source} ${at} ${one.kind} ${one.button}`;
    const sum = merged.get(key);
    if (!sum) {
      merged.set(key, { ...one, at });
      continue;
    }
    sum.n += one.n;
    sum.cents += one.cents;
  }
  return merged.values();
}

/** Start of the bucket of this width (ms) that contains `at`. */
export const bucketOf = (at: number, width: number) => Math.floor(at / width) * width;

/** Sums counts by kind into totals; amounts in cents. */
export function totalsOf(sums: KindSum[]): Totals {
  const totals: Totals = {
    pageViews: 0,
    ctaClicks: 0,
    checkoutOpens: 0,
    callsBooked: 0,
    conversions: 0,
    revenue: 0,
    refunded: 0,
    disputed: 0,
  };
  for (const { kind, n, cents } of sums) {
    const column = totalColumns[kind];
    if (column?.n) totals[column.n] += n;
    if (column?.cents) totals[column.cents] += cents;
  }
  return totals;
}
