import { batched } from '../database/batcher.ts';
import { columns, computed, max } from '../database/columns.ts';
import { all, type Database, get, run, writeUntilDone } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { allConversions, allEvents, isEmpty } from './bulk/bulk-sql.ts';
import { attributionKey } from './sql/attribution.ts';
import { cleanSources } from './sql/clean-sources.ts';
import { compareCounters } from './sql/compare.ts';
import { allSources, bucketOf, kinds, totalsOf } from './sql/counters.ts';
import { addEvents, addNewEvents, isCounted } from './sql/events.ts';
import { pruneEvents } from './sql/prune.ts';
import { pageOfEvents, pageOfSales } from './sql/rows.ts';
import { addSale, eraseBuyer, eraseBuyersBefore, ofProduct, salesTo } from './sql/sales.ts';
import type { SourceIds } from './sql/sources.ts';
import { recount, recountSources, totalsOfEach, totalsOfSources } from './sql/totals.ts';
import type {
  Activity,
  ActivityEvent,
  Conversion,
  CurrencySum,
  ExcludedCount,
  ExclusionReason,
  ImportedEvent,
  PageOptions,
  TimeWindow,
} from './store.ts';

const minute = 60_000;
const hour = 60 * minute;

const ever: TimeWindow = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>;

/** Creates the analytics store on SQLite or PostgreSQL. */
export function createAnalyticsStore(database: Database) {
  const cachedSources: SourceIds = new Map();
  const addBatched = batched(database.append, function* (events: readonly ActivityEvent[]) {
    const { newSources, isNew } = yield* addNewEvents(events, cachedSources);
    return events.map((event) => ({
      isNew: isNew(event),
      sourceId: event.source === null ? undefined : newSources.get(event.source),
    }));
  });
  return {
    /** Whether there are no events and no sales. */
    isEmpty: () => isEmpty(database),

    /** The salt of a UTC day (its number since 1970); stores and returns `fresh` when there is none. */
    salt: (day: number, fresh: Buffer) =>
      database.write(function* () {
        yield* run('INSERT INTO visitor_salt (day, salt) VALUES (?, ?) ON CONFLICT DO NOTHING', [
          day,
          fresh,
        ]);
        const row = yield* get(selectSalt, [day]);
        return row ? Buffer.from(row.salt) : fresh;
      }),

    /** The key that signs attribution tokens; stores and returns `fresh` when there is none. */
    attributionKey: (fresh: Buffer) =>
      database.write(function* () {
        yield* run(
          `INSERT INTO secret (name, value) VALUES ('attribution', ?) ON CONFLICT DO NOTHING`,
          [fresh],
        );
        return (yield* attributionKey()) ?? fresh;
      }),

    /**
     * Counts an event unless it was counted that day. Other events count a missing page view too, so on a
     * whole UTC day clicks never exceed views. Returns whether the visitor is new that day.
     */
    async addEvent(event: ActivityEvent) {
      const { isNew, sourceId } = await addBatched(event);
      // Cached only after the commit: a rollback would invalidate the id.
      if (event.source !== null && sourceId !== undefined) {
        cachedSources.set(event.source, sourceId);
      }
      return isNew;
    },

    /** Whether a visitor was counted on the UTC day of `at` (milliseconds since 1970). */
    isCounted: (visitor: string, at: number) => database.read(() => isCounted(visitor, at)),

    /**
     * Adds past events without deduplication. Their sources come from the owner, so their number is not
     * limited.
     */
    importEvents: (events: readonly ImportedEvent[]) => database.write(() => addEvents(events)),

    /**
     * Stores a sale. Idempotent by id: an existing sale changes only when its refunded amount grows.
     */
    addConversion: (conversion: Conversion) => database.write(() => addSale(conversion)),

    /** Adds excluded counts by hour and reason; no visitor data is stored. */
    addExcludedCounts: (counts: readonly ExcludedCount[]) =>
      database.write(function* () {
        for (const { reason, at, n } of counts) {
          yield* run(
            `INSERT INTO uncounted (hour, reason, n) VALUES (?, ?, ?)
             ON CONFLICT (hour, reason) DO UPDATE SET n = uncounted.n + excluded.n`,
            [bucketOf(at, hour), reason, n],
          );
        }
      }),

    /** Totals of a window, exact to the millisecond; the cost does not grow with the number of events. */
    totals: async (window: TimeWindow) => {
      const [totals] = await database.read(() => totalsOfEach([window]));
      return totals ?? totalsOf([]);
    },

    /** Totals of several windows, in the same order. */
    totalsOfEach: (windows: readonly TimeWindow[]) => database.read(() => totalsOfEach(windows)),

    /** Totals of each source with any counts; exact, and they add up to `totals`. */
    sources: (window: TimeWindow) => database.read(() => totalsOfSources(window)),

    /** `totals` recounted from the rows; slow, for verification. */
    recount: (window: TimeWindow) => database.read(() => recount(window)),

    /** `sources` recounted from the rows; slow, for verification. */
    recountSources: (window: TimeWindow) => database.read(() => recountSources(window)),

    /**
     * Recounts all rows and compares them with each counter. Correct during concurrent writes; memory grows
     * with the differences, not with the rows. Counters of pruned events are skipped.
     */
    compareCounters: () => compareCounters(database),

    /** Start of the minute of the first counted page view; undefined when there is none. */
    firstView: async () => (await database.read(() => get(selectFirstView)))?.at,

    /** Time of the last counted page view up to `now`; undefined when there is none. */
    lastView: async (now: number) =>
      (await database.read(() => get(selectLastView, [now])))?.at ?? undefined,

    /**
     * Deletes the events of UTC days before `day` (its number since 1970), except the 200 days before the
     * newest event; returns the number deleted. Counters stay: a window that starts in pruned days excludes
     * its first partial minute, and for single sources its first partial hour.
     */
    prune: (day: number) => pruneEvents(database, day * 24 * hour),

    /** Excluded counts by reason in the hours that overlap the window. */
    async excludedCounts({
      from,
      to,
    }: TimeWindow): Promise<Partial<Record<ExclusionReason, number>>> {
      const rows = await database.read(() => all(sumExcluded, [bucketOf(from, hour), to]));
      return Object.fromEntries(rows.map(({ reason, n }) => [reason, n]));
    },

    /** The sales of a window, newest first, fully refunded ones included. */
    conversions: (window: TimeWindow, options: PageOptions) =>
      database.read(() => pageOfSales(window, options)),

    /** The events of an activity in a window, newest first. */
    events: (activity: Activity, window: TimeWindow, options: PageOptions) =>
      database.read(() => pageOfEvents(activity, window, options)),

    /** Sales in currencies other than US dollars, by currency. */
    otherCurrencies: ({ from, to }: TimeWindow): Promise<CurrencySum[]> =>
      database.read(() => all(otherCurrencies, [from, to])),

    /** Sales of the same Stripe account that are not of the product, by currency. */
    otherSales: ({ from, to }: TimeWindow): Promise<CurrencySum[]> =>
      database.read(() => all(otherSales, [from, to])),

    /** Streams the sales of a window (default: all), oldest first, in constant memory. */
    allConversions: (window: TimeWindow = ever) => allConversions(database, window),

    /** Streams the events of a window (default: all), oldest first, in constant memory. */
    allEvents: (window: TimeWindow = ever) => allEvents(database, window),

    /** The sales to this email address, oldest first. */
    salesTo: (email: string) => database.read(() => salesTo(email)),

    /**
     * Deletes this email address from reported and imported sales; returns their number. Sales and totals
     * stay. Sales computed from Stripe events are erased by the payment store.
     */
    eraseBuyer: (email: string) => database.write(() => eraseBuyer(email)),

    /**
     * Replaces sources with an email address, which earlier versions stored, by `email`, in short
     * transactions. Idempotent; totals stay.
     */
    cleanSources: () => cleanSources(database),

    /** Deletes the buyers' email addresses from reported sales before `before` (ms since 1970, UTC). */
    eraseBuyersBefore: (before: number) =>
      writeUntilDone(database, () => eraseBuyersBefore(before)),

    /** Deletes visitor keys and salts of days before `day`. Counts stay. */
    deleteVisitorKeys: async (day: number) => {
      const deleted = await database.write(function* () {
        const visitors = yield* run('DELETE FROM seen_visitor WHERE day < ?', [day]);
        return visitors + (yield* run('DELETE FROM visitor_salt WHERE day < ?', [day]));
      });
      if (deleted > 0) await database.wipeDeletedRows();
    },
  };
}

const selectSalt = sql`SELECT ${columns('visitor_salt', 'salt')} FROM visitor_salt WHERE day = ?`;

const selectFirstView = sql`SELECT ${columns('counter', { at: 'bucket' })} FROM counter
  WHERE source = ${allSources} AND width = ${minute} AND kind = ${kinds.page_view}
  ORDER BY bucket LIMIT 1`;

const selectLastView = sql`SELECT ${columns('mark', { at: max('at') })} FROM mark
  WHERE kind = ${kinds.page_view} AND at <= ?`;

const sumExcluded = sql`SELECT ${columns('uncounted', 'reason', { n: computed<number>('sum(n)') })}
  FROM uncounted WHERE hour >= ? AND hour < ? GROUP BY reason`;

const sumsByCurrency = (condition: string) => sql`SELECT ${columns('conversion', 'currency', {
  conversions: computed<number>('count(*) FILTER (WHERE amount > refunded OR amount = 0)'),
  revenue: computed<number>('sum(amount - refunded)'),
})} FROM conversion WHERE ${condition} AND at >= ? AND at < ?
  GROUP BY currency ORDER BY currency`;
const otherCurrencies = sumsByCurrency(`currency <> 'USD' AND ${ofProduct}`);
const otherSales = sumsByCurrency(`NOT (${ofProduct})`);
