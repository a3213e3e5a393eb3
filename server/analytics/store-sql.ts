import { batched } from '../database/batcher.ts';
import { all, type Database, get, run } from '../database/database.ts';
import { attributionKey } from './attribution-sql.ts';
import { allConversions, allEvents, isEmpty } from './bulk-sql.ts';
import { cleanSources } from './clean-sources-sql.ts';
import { compareCounters } from './compare-sql.ts';
import { allSources, bucketOf, kinds, totalsOf } from './counters-sql.ts';
import { addEvents, addNewEvents, isCounted } from './events-sql.ts';
import { pruneEvents } from './prune-sql.ts';
import { pageOfEvents, pageOfSales } from './rows-sql.ts';
import { addSale, eraseBuyer, eraseBuyersBefore, salesTo } from './sales-sql.ts';
import type { SourceIds } from './sources-sql.ts';
import type {
  ActivityEvent,
  AnalyticsStore,
  CurrencySum,
  ExclusionReason,
  TimeWindow,
} from './store.ts';
import { recount, recountSources, totalsOfEach, totalsOfSources } from './totals-sql.ts';

const minute = 60_000;
const hour = 60 * minute;

const ever: TimeWindow = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** Creates the analytics store on SQLite or PostgreSQL. */
export function createAnalyticsStore(database: Database): AnalyticsStore {
  const cachedSources: SourceIds = new Map();
  const addBatched = batched(database.append, function* (events: readonly ActivityEvent[]) {
    const { newSources, isNew } = yield* addNewEvents(events, cachedSources);
    return events.map((event) => ({
      isNew: isNew(event),
      sourceId: event.source === null ? undefined : newSources.get(event.source),
    }));
  });
  return {
    isEmpty: () => isEmpty(database),

    salt: (day, fresh) =>
      database.write(function* () {
        yield* run('INSERT INTO visitor_salt (day, salt) VALUES (?, ?) ON CONFLICT DO NOTHING', [
          day,
          fresh,
        ]);
        const row = yield* get<{ salt: Uint8Array }>(
          'SELECT salt FROM visitor_salt WHERE day = ?',
          [day],
        );
        return row ? Buffer.from(row.salt) : fresh;
      }),

    attributionKey: (fresh) =>
      database.write(function* () {
        yield* run(
          `INSERT INTO secret (name, value) VALUES ('attribution', ?) ON CONFLICT DO NOTHING`,
          [fresh],
        );
        return (yield* attributionKey()) ?? fresh;
      }),

    async addEvent(event) {
      const { isNew, sourceId } = await addBatched(event);
      // Cached only after the commit: a rollback would invalidate the id.
      if (event.source !== null && sourceId !== undefined) {
        cachedSources.set(event.source, sourceId);
      }
      return isNew;
    },

    isCounted: (visitor, at) => database.read(() => isCounted(visitor, at)),

    importEvents: (events) => database.write(() => addEvents(events)),

    addConversion: (conversion) => database.write(() => addSale(conversion)),

    addExcludedCounts: (counts) =>
      database.write(function* () {
        for (const { reason, at, n } of counts) {
          yield* run(
            `INSERT INTO uncounted (hour, reason, n) VALUES (?, ?, ?)
             ON CONFLICT (hour, reason) DO UPDATE SET n = uncounted.n + excluded.n`,
            [bucketOf(at, hour), reason, n],
          );
        }
      }),

    totals: async (window) => {
      const [totals] = await database.read(() => totalsOfEach([window]));
      return totals ?? totalsOf([]);
    },

    totalsOfEach: (windows) => database.read(() => totalsOfEach(windows)),

    sources: (window) => database.read(() => totalsOfSources(window)),

    recount: (window) => database.read(() => recount(window)),

    recountSources: (window) => database.read(() => recountSources(window)),

    compareCounters: () => compareCounters(database),

    firstView: async () => {
      const row = await database.read(() =>
        get<{ at: number }>(
          `SELECT bucket AS at FROM counter
           WHERE source = ${allSources} AND width = ${minute} AND kind = ${kinds.page_view}
           ORDER BY bucket LIMIT 1`,
        ),
      );
      return row?.at;
    },

    lastView: async (now) => {
      const row = await database.read(() =>
        get<{ at: number | null }>('SELECT max(at) AS at FROM mark WHERE kind = ? AND at <= ?', [
          kinds.page_view,
          now,
        ]),
      );
      return row?.at ?? undefined;
    },

    prune: (day) => pruneEvents(database, day * 24 * hour),

    excludedCounts: async ({ from, to }) => {
      const rows = await database.read(() =>
        all<{ reason: ExclusionReason; n: number }>(
          'SELECT reason, sum(n) AS n FROM uncounted WHERE hour >= ? AND hour < ? GROUP BY reason',
          [bucketOf(from, hour), to],
        ),
      );
      return Object.fromEntries(rows.map(({ reason, n }) => [reason, n]));
    },

    conversions: (window, options) => database.read(() => pageOfSales(window, options)),

    events: (activity, window, options) =>
      database.read(() => pageOfEvents(activity, window, options)),

    otherCurrencies: ({ from, to }) =>
      database.read(() =>
        all<CurrencySum>(
          `SELECT currency, count(*) FILTER (WHERE amount > refunded OR amount = 0) AS conversions,
                  sum(amount - refunded) AS revenue
           FROM conversion WHERE currency <> 'USD' AND at >= ? AND at < ?
           GROUP BY currency ORDER BY currency`,
          [from, to],
        ),
      ),

    allConversions: (window = ever) => allConversions(database, window),

    allEvents: (window = ever) => allEvents(database, window),

    salesTo: (email) => database.read(() => salesTo(email)),

    eraseBuyer: (email) => database.write(() => eraseBuyer(email)),

    cleanSources: () => cleanSources(database),

    async eraseBuyersBefore(before) {
      for (let erased = 0; ; ) {
        const batchSize = await database.write(() => eraseBuyersBefore(before));
        if (batchSize === 0) return erased;
        erased += batchSize;
      }
    },

    deleteVisitorKeys: async (day) => {
      const deleted = await database.write(function* () {
        const visitors = yield* run('DELETE FROM seen_visitor WHERE day < ?', [day]);
        return visitors + (yield* run('DELETE FROM visitor_salt WHERE day < ?', [day]));
      });
      if (deleted > 0) await database.wipeDeletedRows();
    },
  };
}
