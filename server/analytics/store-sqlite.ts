import type { Sqlite, Tx } from '../database/sqlite.ts';
import { allConversions, isEmpty } from './bulk-sqlite.ts';
import { compareCounters } from './compare-sqlite.ts';
import { type KindSum, kinds, totalsOf } from './counters-sqlite.ts';
import { gather } from './gather.ts';
import { addMarks, addNewMarks } from './marks-sqlite.ts';
import { addSale, moneySums, saleColumns } from './sales-sqlite.ts';
import type { AnalyticsStore, Conversion, CurrencySum, Window } from './store.ts';
import { spansOf } from './window.ts';

export function createSqliteAnalyticsStore(database: Sqlite): AnalyticsStore {
  return {
    isEmpty: async () => isEmpty(database),

    salt: (day, fresh) =>
      database.write((tx) => {
        tx.run('INSERT INTO visitor_salt (day, salt) VALUES (?, ?) ON CONFLICT DO NOTHING', [
          day,
          fresh,
        ]);
        const row = tx.get<{ salt: Buffer }>('SELECT salt FROM visitor_salt WHERE day = ?', [day]);
        return row?.salt ?? fresh;
      }),

    addMark: gather((marks) => database.write((tx) => addNewMarks(tx, marks))),

    addPast: (marks) => database.write((tx) => addMarks(tx, marks)),

    addConversion: (conversion) => database.write((tx) => addSale(tx, conversion)),

    totals: async (window) =>
      database.read((tx) =>
        totalsOf(
          spansOf(window).flatMap((span) =>
            span.width === 0
              ? countRows(tx, span)
              : tx.all<KindSum>(
                  `SELECT kind, sum(n) AS n, sum(cents) AS cents FROM counter
                   WHERE width = ? AND bucket >= ? AND bucket < ? GROUP BY kind`,
                  [span.width, span.from, span.to],
                ),
          ),
        ),
      ),

    recount: async (window) => database.read((tx) => totalsOf(countRows(tx, window))),

    compareCounters: () => compareCounters(database),

    conversions: async ({ from, to }, { limit }) =>
      database.read((tx) =>
        tx.all<Conversion>(
          `SELECT ${saleColumns} FROM conversion
           WHERE at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?`,
          [from, to, limit],
        ),
      ),

    otherCurrencies: async ({ from, to }) =>
      database.read((tx) =>
        tx.all<CurrencySum>(
          `SELECT currency, sum(amount > refunded OR amount = 0) AS conversions,
                  sum(amount - refunded) AS revenue
           FROM conversion WHERE currency <> 'USD' AND at >= ? AND at < ?
           GROUP BY currency ORDER BY currency`,
          [from, to],
        ),
      ),

    allConversions: () => allConversions(database),

    forgetVisitors: async (day) => {
      const deleted = await database.write(
        (tx) =>
          tx.run('DELETE FROM seen_visitor WHERE day < ?', [day]) +
          tx.run('DELETE FROM visitor_salt WHERE day < ?', [day]),
      );
      if (deleted > 0) await database.shred();
    },
  };
}

/** Counts single rows: exact for any window, at a cost that grows with it. */
function countRows(tx: Pick<Tx, 'all'>, { from, to }: Window): KindSum[] {
  const marks = Object.values(kinds).flatMap((kind) =>
    tx.all<KindSum>(
      `SELECT kind, count(*) AS n, 0 AS cents FROM mark
       WHERE kind = ? AND at >= ? AND at < ? GROUP BY kind`,
      [kind, from, to],
    ),
  );
  const sales = moneySums.flatMap(({ kind, n, cents, where }) =>
    tx.all<KindSum>(
      `SELECT ${kind} AS kind, ${n} AS n, ${cents} AS cents FROM conversion
       WHERE at >= ? AND at < ? AND ${where}`,
      [from, to],
    ),
  );
  return [...marks, ...sales];
}
