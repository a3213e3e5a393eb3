/** The counters: what happened, summed by minute, hour and day, and by where it came from. */
import { randomInt } from 'node:crypto';
import { all, run, type Statements } from '../database/database.ts';
import { jsonRows, type Sql, sql } from '../database/sql.ts';
import type { Activity, Sum, TimeWindow, Totals } from './store.ts';
import { sourceWidths, widths } from './time-window.ts';

/** How the tables number what is counted. */
export const kinds: Record<Activity, number> = {
  page_view: 1,
  cta_click: 2,
  checkout_open: 3,
  call_booked: 7,
};
export const moneyKinds = { sale: 4, refund: 5, dispute: 6 } as const;

/** The source whose counters are those of all sources together. */
export const everySource = 0;

/** Where the number of a kind belongs, and its cents. */
const columns: Record<number, { n?: keyof Totals; cents?: keyof Totals }> = {
  [kinds.page_view]: { n: 'pageViews' },
  [kinds.cta_click]: { n: 'ctaClicks' },
  [kinds.checkout_open]: { n: 'checkoutOpens' },
  [kinds.call_booked]: { n: 'callsBooked' },
  [moneyKinds.sale]: { n: 'conversions', cents: 'revenue' },
  [moneyKinds.refund]: { cents: 'refunded' },
  [moneyKinds.dispute]: { cents: 'disputed' },
};

/** The name of a kind, for people. */
export function nameOf(kind: number): string {
  const named = Object.entries({ ...kinds, ...moneyKinds }).find(([, number]) => number === kind);
  return named?.[0] ?? `kind ${kind}`;
}

export interface KindSum extends Sum {
  kind: number;
}

/** Something that happened, or is taken back (below zero). */
export interface Counted extends KindSum {
  at: number;
  /** The source it came from, by the number the tables know it under. */
  source: number;
}

/**
 * Instances that count at the same time would wait for one another at the counters of the minute. So
 * each has counters of its own, which are added up when they are read. An instance takes one by
 * chance: two that share it wait for one another, and nothing else. The first is that of all who write
 * one after the other (`Database.write`).
 */
const sharedSlot = 0;
const ownSlot = randomInt(1, 16);

/**
 * Adds to the counters of every width, in the transaction that adds the rows they count: one addition
 * to each counter that is touched, not one for each row. `beside` others: in `Database.append`.
 */
export function* count(counted: readonly Counted[], { beside = false } = {}): Statements<void> {
  const slot = beside ? ownSlot : sharedSlot;
  const sums = new Map<string, number[]>();
  const add = (source: number, width: number, { at, kind, n, cents }: Counted) => {
    const bucket = bucketOf(at, width);
    const key = `${source} ${width} ${bucket} ${kind}`;
    const sum = sums.get(key);
    if (!sum) return void sums.set(key, [source, width, bucket, kind, n, cents, slot]);
    sum[4] = (sum[4] ?? 0) + n;
    sum[5] = (sum[5] ?? 0) + cents;
  };
  for (const one of ofEachMinute(counted)) {
    for (const width of widths) add(everySource, width, one);
    for (const width of sourceWidths) add(one.source, width, one);
  }
  if (sums.size > 0) yield* run(addition, [JSON.stringify([...sums.values()])]);
}

const additions = {
  source: 'integer',
  width: 'integer',
  bucket: 'integer',
  kind: 'integer',
  n: 'integer',
  cents: 'integer',
} as const;

/**
 * One file has one writer, and no slots. Where there are many, all touch the counters in one order, so
 * that no two wait for each other. `WHERE true` tells SQLite that ON CONFLICT does not belong to a join.
 */
const addition: Sql = {
  sqlite: `INSERT INTO counter (source, width, bucket, kind, n, cents)
    SELECT source, width, bucket, kind, n, cents FROM ${jsonRows(additions).sqlite} WHERE true
    ON CONFLICT (source, width, bucket, kind) DO UPDATE
    SET n = n + excluded.n, cents = cents + excluded.cents`,
  postgres: `INSERT INTO counter (source, width, bucket, kind, slot, n, cents)
    SELECT source, width, bucket, kind, slot, n, cents
    FROM ${jsonRows({ ...additions, slot: 'integer' }).postgres} AS added
    ORDER BY source, width, bucket, kind
    ON CONFLICT (source, width, bucket, kind, slot) DO UPDATE
    SET n = counter.n + excluded.n, cents = counter.cents + excluded.cents`,
};

/** Adds the counters of whole days of these sources (JSON: rows of an id) to those of `target`, and deletes them. */
export function* moveCounters(
  { sources, target }: { sources: string; target: number },
  { from, to }: TimeWindow,
): Statements<void> {
  const moved = yield* all<Counter>(removal, [sources, from, to]);
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
  if (rows.length > 0) yield* run(addition, [JSON.stringify(rows)]);
}

type Counter = KindSum & { width: number; bucket: number };

const removal = sql`DELETE FROM counter
  WHERE source IN (SELECT id FROM ${jsonRows({ id: 'integer' })} AS moved)
    AND width IN (${sourceWidths.join(', ')}) AND bucket >= ? AND bucket < ?
  RETURNING width, bucket, kind, n, cents`;

/** What happened in the same minute, alike but for the millisecond, becomes one. */
function ofEachMinute(counted: readonly Counted[]): Iterable<Counted> {
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

/** Start of the bucket of this width that `at` falls into. */
export const bucketOf = (at: number, width: number) => Math.floor(at / width) * width;

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
    const column = columns[kind];
    if (column?.n) totals[column.n] += n;
    if (column?.cents) totals[column.cents] += cents;
  }
  return totals;
}
