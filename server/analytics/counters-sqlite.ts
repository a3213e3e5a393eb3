/** The counters: what happened, summed by minute, hour and day. */
import type { Tx } from '../database/sqlite.ts';
import type { Activity, PastMark, Sum, Totals } from './store.ts';
import { widths } from './window.ts';

/** How the tables number what is counted. */
export const kinds: Record<Activity, number> = { page_view: 1, cta_click: 2, checkout_open: 3 };
export const moneyKinds = { sale: 4, refund: 5, dispute: 6 } as const;

/** Where the number of a kind belongs, and its cents. */
const columns: Record<number, { n?: keyof Totals; cents?: keyof Totals }> = {
  [kinds.page_view]: { n: 'pageViews' },
  [kinds.cta_click]: { n: 'ctaClicks' },
  [kinds.checkout_open]: { n: 'checkoutOpens' },
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

/** Adds to the counters of every width, in the transaction that adds the row they count. */
export function count(tx: Tx, { kind, at, n, cents }: KindSum & { at: number }): void {
  for (const width of widths) {
    tx.run(
      `INSERT INTO counter (width, bucket, kind, n, cents) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (width, bucket, kind) DO UPDATE
       SET n = n + excluded.n, cents = cents + excluded.cents`,
      [width, bucketOf(at, width), kind, n, cents],
    );
  }
}

/** Counts many marks: one addition to each counter they touch, not one for each mark. */
export function countAll(tx: Tx, marks: readonly PastMark[]): void {
  const sums = Object.entries(kinds).flatMap(([activity, kind]) => {
    const moments = marks.filter((mark) => mark.activity === activity).map(({ at }) => at);
    return widths.flatMap((width) =>
      [...sumsOf(moments, width)].map(([bucket, n]) => [width, bucket, kind, n]),
    );
  });
  // `WHERE true` tells the parser that ON CONFLICT does not belong to a join.
  tx.run(
    `INSERT INTO counter (width, bucket, kind, n, cents)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, 0 FROM json_each(?) WHERE true
     ON CONFLICT (width, bucket, kind) DO UPDATE SET n = n + excluded.n`,
    [JSON.stringify(sums)],
  );
}

/** How many moments each bucket of this width holds. */
function sumsOf(moments: number[], width: number): Map<number, number> {
  const sums = new Map<number, number>();
  for (const at of moments) {
    const bucket = bucketOf(at, width);
    sums.set(bucket, (sums.get(bucket) ?? 0) + 1);
  }
  return sums;
}

/** Start of the bucket of this width that `at` falls into. */
export const bucketOf = (at: number, width: number) => Math.floor(at / width) * width;

export function totalsOf(sums: KindSum[]): Totals {
  const totals: Totals = {
    pageViews: 0,
    ctaClicks: 0,
    checkoutOpens: 0,
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
