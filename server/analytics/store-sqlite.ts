import type { Sqlite } from '../database/sqlite.ts';
import { attributionKey } from './attribution-sqlite.ts';
import { allConversions, allMarks, isEmpty } from './bulk-sqlite.ts';
import { compareCounters } from './compare-sqlite.ts';
import { bucketOf, everySource, kinds, totalsOf } from './counters-sqlite.ts';
import { gather } from './gather.ts';
import { addMarks, addNewMarks } from './marks-sqlite.ts';
import { pruneMarks } from './prune-sqlite.ts';
import { pageOfMarks, pageOfSales } from './rows-sqlite.ts';
import { addSale, eraseBuyer, eraseBuyersBefore, salesTo } from './sales-sqlite.ts';
import { type KnownSources, learnSources } from './sources-sqlite.ts';
import type { AnalyticsStore, CurrencySum, Reason, Window } from './store.ts';
import { recount, recountSources, totalsOfEach, totalsOfSources } from './totals-sqlite.ts';

const minute = 60_000;
const hour = 60 * minute;

const ever: Window = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

export function createSqliteAnalyticsStore(database: Sqlite): AnalyticsStore {
  const known: KnownSources = new Map();
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

    attributionKey: (fresh) =>
      database.write((tx) => {
        tx.run(
          `INSERT INTO secret (name, value) VALUES ('attribution', ?) ON CONFLICT DO NOTHING`,
          [fresh],
        );
        return attributionKey(tx) ?? fresh;
      }),

    addMark: gather(async (marks) => {
      learnSources(
        database,
        marks.map(({ source }) => source),
        known,
      );
      await database.write((tx) => addNewMarks(tx, marks, known));
    }),

    addPast: (marks) => database.write((tx) => addMarks(tx, marks)),

    addConversion: (conversion) => database.write((tx) => addSale(tx, conversion)),

    addUncounted: (counts) =>
      database.write((tx) => {
        for (const { reason, at, n } of counts) {
          tx.run(
            `INSERT INTO uncounted (hour, reason, n) VALUES (?, ?, ?)
             ON CONFLICT (hour, reason) DO UPDATE SET n = n + excluded.n`,
            [bucketOf(at, hour), reason, n],
          );
        }
      }),

    totals: async (window) => database.read((tx) => totalsOfEach(tx, [window])[0] ?? totalsOf([])),

    totalsOfEach: async (windows) => database.read((tx) => totalsOfEach(tx, windows)),

    sources: async (window) => database.read((tx) => totalsOfSources(tx, window)),

    recount: async (window) => database.read((tx) => recount(tx, window)),

    recountSources: async (window) => database.read((tx) => recountSources(tx, window)),

    compareCounters: () => compareCounters(database),

    firstView: async () =>
      database.read((tx) =>
        tx.get<{ at: number }>(
          `SELECT bucket AS at FROM counter
           WHERE source = ${everySource} AND width = ${minute} AND kind = ${kinds.page_view}
           ORDER BY bucket LIMIT 1`,
        ),
      )?.at,

    lastView: async (now) => {
      const row = database.read((tx) =>
        tx.get<{ at: number | null }>('SELECT max(at) AS at FROM mark WHERE kind = ? AND at <= ?', [
          kinds.page_view,
          now,
        ]),
      );
      return row?.at ?? undefined;
    },

    prune: (day) => pruneMarks(database, day * 24 * hour),

    uncounted: async ({ from, to }) =>
      database.read((tx) => {
        const rows = tx.all<{ reason: Reason; n: number }>(
          'SELECT reason, sum(n) AS n FROM uncounted WHERE hour >= ? AND hour < ? GROUP BY reason',
          [bucketOf(from, hour), to],
        );
        return Object.fromEntries(rows.map(({ reason, n }) => [reason, n]));
      }),

    conversions: async (window, options) => database.read((tx) => pageOfSales(tx, window, options)),

    marks: async (activity, window, options) =>
      database.read((tx) => pageOfMarks(tx, activity, window, options)),

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

    allConversions: (window = ever) => allConversions(database, window),

    allMarks: (window = ever) => allMarks(database, window),

    salesTo: async (email) => database.read((tx) => salesTo(tx, email)),

    eraseBuyer: (email) => database.write((tx) => eraseBuyer(tx, email)),

    async forgetBuyers(before) {
      for (let done = 0; ; ) {
        const some = await database.write((tx) => eraseBuyersBefore(tx, before));
        if (some === 0) return done;
        done += some;
      }
    },

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
