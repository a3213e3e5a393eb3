/** Roll-up counters: events and sales summed by minute, hour and day, in total and by source. */
import { randomInt } from 'node:crypto';
import { columns } from '../../database/columns.ts';
import { all, run, type Statements } from '../../database/database.ts';
import { integer, type Row, schema } from '../../database/schema.ts';
import { jsonRows, type Sql, sql } from '../../database/sql.ts';
import type { Activity, Sum, TimeWindow, Totals } from '../store.ts';
import { sourceWidths, widths } from '../time-window.ts';

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
export interface Counted extends KindSum {
  at: number;
  /** Id of its source. */
  source: number;
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
  const sums = new Map<string, number[]>();
  const add = (source: number, width: number, { at, kind, n, cents }: Counted) => {
    const bucket = bucketOf(at, width);
    const key = `${source} ${width} ${bucket} ${kind}`;
    const sum = sums.get(key);
    if (!sum) return void sums.set(key, [source, width, bucket, kind, n, cents, slot]);
    sum[4] = (sum[4] ?? 0) + n;
    sum[5] = (sum[5] ?? 0) + cents;
  };
  for (const one of mergedByMinute(counted)) {
    for (const width of widths) add(allSources, width, one);
    for (const width of sourceWidths) add(one.source, width, one);
  }
  if (sums.size > 0) yield* run(addToCounters, [JSON.stringify([...sums.values()])]);
}

/**
 * SQLite has one writer and needs no slots. On PostgreSQL all writers lock counters in the same order,
 * which prevents deadlocks. Without `WHERE true`, SQLite parses ON CONFLICT as a join's ON clause.
 */
const addToCounters: Sql = {
  sqlite: `INSERT INTO counter (source, width, bucket, kind, n, cents)
    SELECT source, width, bucket, kind, n, cents FROM ${jsonRows(schema.counter).sqlite} WHERE true
    ON CONFLICT (source, width, bucket, kind) DO UPDATE
    SET n = n + excluded.n, cents = cents + excluded.cents`,
  postgres: `INSERT INTO counter (source, width, bucket, kind, slot, n, cents)
    SELECT source, width, bucket, kind, slot, n, cents
    FROM ${jsonRows(schema.counter).postgres} AS added
    ORDER BY source, width, bucket, kind
    ON CONFLICT (source, width, bucket, kind, slot) DO UPDATE
    SET n = counter.n + excluded.n, cents = counter.cents + excluded.cents`,
};

/** Moves the counters of these sources (JSON rows of one id) to `target`; the window is whole days. */
export function* moveCounters(
  { sources, target }: { sources: string; target: number },
  { from, to }: TimeWindow,
): Statements<void> {
  const moved = yield* all(deleteCounters, [sources, from, to]);
  const sums = new Map<string, Counter>();
  for (const counter of moved) {
    const { width, bucket, kind, n, cents } = counter;
    const key = `${width} ${bucket} ${kind}`;
    const sum = sums.get(key);
    sums.set(key, sum ? { ...sum, n: sum.n + n, cents: sum.cents + cents } : counter);
  }
  const rows = [...sums.values()].map(({ width, bucket, kind, n, cents }) => [
    target,
    width,
    bucket,
    kind,
    n,
    cents,
    sharedSlot,
  ]);
  if (rows.length > 0) yield* run(addToCounters, [JSON.stringify(rows)]);
}

type Counter = Pick<Row<'counter'>, 'width' | 'bucket' | 'kind' | 'n' | 'cents'>;

const deleteCounters = sql`DELETE FROM counter
  WHERE source IN (SELECT id FROM ${jsonRows({ id: integer })} AS moved)
    AND width IN (${sourceWidths.join(', ')}) AND bucket >= ? AND bucket < ?
  RETURNING ${columns('counter', 'width', 'bucket', 'kind', 'n', 'cents')}`;

/** Merges entries of the same source, kind and minute. */
function mergedByMinute(counted: readonly Counted[]): Iterable<Counted> {
  const merged = new Map<string, Counted>();
  for (const one of counted) {
    const at = bucketOf(one.at, widths[0]);
    const key = `${one.source} ${at} ${one.kind}`;
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
