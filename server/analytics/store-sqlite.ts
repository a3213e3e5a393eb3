import { randomInt } from 'node:crypto';
import type { Sqlite, Tx } from '../database/sqlite.ts';
import type { Activity, AnalyticsStore, Conversion, Totals, Window } from './store.ts';
import { dayOf } from './visitors.ts';
import { spansOf, widths } from './window.ts';

const kinds: Record<Activity, number> = { page_view: 1, cta_click: 2, checkout_open: 3 };
const sale = 4;

const columns: Record<number, Exclude<keyof Totals, 'revenue'>> = {
  [kinds.page_view]: 'pageViews',
  [kinds.cta_click]: 'ctaClicks',
  [kinds.checkout_open]: 'checkoutOpens',
  [sale]: 'conversions',
};

interface KindRow {
  kind: number;
  n: number;
  cents: number;
}

export function createSqliteAnalyticsStore(database: Sqlite): AnalyticsStore {
  return {
    salt: (day, fresh) =>
      database.write((tx) => {
        tx.run('INSERT INTO visitor_salt (day, salt) VALUES (?, ?) ON CONFLICT DO NOTHING', [
          day,
          fresh,
        ]);
        const row = tx.get<{ salt: Buffer }>('SELECT salt FROM visitor_salt WHERE day = ?', [day]);
        return row?.salt ?? fresh;
      }),

    addMark: ({ activity, control, visitor, at }) =>
      database.write((tx) => {
        const markOnce = (kind: number, which: string | null) => {
          const isNew = tx.run(
            'INSERT INTO seen_visitor (day, kind, visitor) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
            [dayOf(at), kind, visitor],
          );
          if (isNew === 0) return;
          tx.run('INSERT INTO mark (kind, at, serial, control) VALUES (?, ?, ?, ?)', [
            kind,
            at,
            randomInt(2 ** 47),
            which,
          ]);
          count(tx, { kind, at, n: 1, cents: 0 });
        };
        markOnce(kinds.page_view, null);
        if (activity !== 'page_view') markOnce(kinds[activity], control);
      }),

    addConversion: ({ id, at, amount, currency, email, source }) =>
      database.write((tx) => {
        const isNew = tx.run(
          `INSERT INTO conversion (id, at, amount, currency, email, source)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          [id, at, amount, currency, email, source],
        );
        if (isNew === 0) return false;
        count(tx, { kind: sale, at, n: 1, cents: currency === 'USD' ? amount : 0 });
        return true;
      }),

    totals: async (window) =>
      database.read((tx) =>
        totalsOf(
          spansOf(window).flatMap((span) =>
            span.width === 0
              ? countRows(tx, span)
              : tx.all<KindRow>(
                  `SELECT kind, sum(n) AS n, sum(cents) AS cents FROM counter
                   WHERE width = ? AND bucket >= ? AND bucket < ? GROUP BY kind`,
                  [span.width, span.from, span.to],
                ),
          ),
        ),
      ),

    recount: async (window) => database.read((tx) => totalsOf(countRows(tx, window))),

    conversions: async ({ from, to }, { limit }) =>
      database.read((tx) =>
        tx.all<Conversion>(
          `SELECT id, at, amount, currency, email, source FROM conversion
           WHERE at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?`,
          [from, to, limit],
        ),
      ),

    forgetVisitors: (day) =>
      database.write((tx) => {
        tx.run('DELETE FROM seen_visitor WHERE day < ?', [day]);
        tx.run('DELETE FROM visitor_salt WHERE day < ?', [day]);
      }),
  };
}

/** Adds to the counters of every width, in the transaction that adds the row they count. */
function count(tx: Tx, { kind, at, n, cents }: KindRow & { at: number }): void {
  for (const width of widths) {
    tx.run(
      `INSERT INTO counter (width, bucket, kind, n, cents) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (width, bucket, kind) DO UPDATE
       SET n = n + excluded.n, cents = cents + excluded.cents`,
      [width, Math.floor(at / width) * width, kind, n, cents],
    );
  }
}

/** Counts single rows: exact for any window, at a cost that grows with it. */
function countRows(tx: Pick<Tx, 'all'>, { from, to }: Window): KindRow[] {
  const marks = Object.values(kinds).flatMap((kind) =>
    tx.all<KindRow>(
      `SELECT kind, count(*) AS n, 0 AS cents FROM mark
       WHERE kind = ? AND at >= ? AND at < ? GROUP BY kind`,
      [kind, from, to],
    ),
  );
  const sales = tx.all<KindRow>(
    `SELECT ${sale} AS kind, count(*) AS n,
            coalesce(sum(CASE currency WHEN 'USD' THEN amount ELSE 0 END), 0) AS cents
     FROM conversion WHERE at >= ? AND at < ?`,
    [from, to],
  );
  return [...marks, ...sales];
}

function totalsOf(rows: KindRow[]): Totals {
  const totals: Totals = {
    pageViews: 0,
    ctaClicks: 0,
    checkoutOpens: 0,
    conversions: 0,
    revenue: 0,
  };
  for (const { kind, n, cents } of rows) {
    const column = columns[kind];
    if (column) totals[column] += n;
    totals.revenue += cents;
  }
  return totals;
}
