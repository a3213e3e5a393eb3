import type { SourceIds } from '../attribution/source-ids.ts';
import { batched } from '../database/batcher.ts';
import { columns, computed, handTyped, max } from '../database/columns.ts';
import { all, type Database, exists, get, run, type Statements } from '../database/database.ts';
import { ensureSecret } from '../database/secrets.ts';
import { joined, sql } from '../database/sql.ts';
import { countedCurrency, storeCountedCurrency } from '../sales/currency.ts';
import { openDoubts } from '../sales/doubts.ts';
import { isCountedSale, salesTo } from '../sales/rows.ts';
import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import { allConversions, allEvents, isEmpty } from './bulk/bulk-sql.ts';
import type {
  Activity,
  ActivityEvent,
  ExcludedCount,
  ExclusionReason,
  Filter,
  ImportedEvent,
  PageOptions,
  TimeWindow,
  Totals,
} from './model.ts';
import { compareCounters } from './sql/compare.ts';
import { allButtons, allSources, kinds } from './sql/counters.ts';
import { addEvents, addNewEvents, isCounted } from './sql/events.ts';
import { breakdownOf, moneyOf } from './sql/money.ts';
import { pruneEvents } from './sql/prune.ts';
import { pageOfEvents, pageOfSales } from './sql/rows.ts';
import { seriesOf } from './sql/series.ts';
import { noTotals, totalsOfButtons, totalsOfEach, totalsOfSources } from './sql/totals.ts';
import { hourOf } from './time-window.ts';

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

    /** The key that signs attribution tokens. */
    attributionKey: () => database.write(() => ensureSecret('attribution')),

    /**
     * Counts an event unless it was counted that day; a click counts a missing page view too, so that on a
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

    /** The owner's currency, in which money is counted; ISO 4217, upper case. */
    currency: () => database.read(countedCurrency),

    /** Sums the sales in this currency from now on. */
    setCurrency: async (currency: string): Promise<void> => {
      if (currency === (await database.read(countedCurrency))) return;
      await database.write(() => storeCountedCurrency(currency));
    },

    /** Adds excluded counts by hour and reason; no visitor data is stored. */
    addExcludedCounts: (counts: readonly ExcludedCount[]) =>
      database.write(function* () {
        for (const { reason, at, n } of counts) {
          yield* run(
            `INSERT INTO excluded_count (hour, reason, n) VALUES (?, ?, ?)
             ON CONFLICT (hour, reason) DO UPDATE SET n = excluded_count.n + excluded.n`,
            [hourOf(at), reason, n],
          );
        }
      }),

    /** Totals of a window, exact to the millisecond; the cost grows with its hours and sales, not its events. */
    totals: async (window: TimeWindow, filter?: Filter) => {
      const [totals] = await database.read(() => totalsIn([window], filter));
      return totals ?? noTotals;
    },

    /** Totals of several windows, in the same order. */
    totalsOfEach: (windows: readonly TimeWindow[], filter?: Filter) =>
      database.read(() => totalsIn(windows, filter)),

    /**
     * Totals of each source with any counts, of a button when it is given; exact, and they add up to
     * `totals`.
     */
    sources: (window: TimeWindow, { button }: Pick<Filter, 'button'> = {}) =>
      database.read(() => totalsOfSources(window, button)),

    /** Totals of each button with any counts, of a source when it is given; exact. */
    buttons: (window: TimeWindow, { source }: Pick<Filter, 'source'> = {}) =>
      database.read(function* () {
        return yield* totalsOfButtons(window, (yield* seriesOf({ source })).source);
      }),

    /**
     * Counts all events again and compares them with the counters, in both directions. Correct during concurrent
     * writes; memory grows with the differences and the events of a day. Counters of deleted events are skipped.
     */
    compareCounters: () => compareCounters(database),

    /** Start of the minute of the first page view, or of its hour once it was deleted; undefined when there is none. */
    firstView: async () => (await database.read(() => get(selectFirstView)))?.at,

    /**
     * Totals of several windows with their currency, and `firstView` and the time of the first sale or of the hour of
     * the first event; from one snapshot.
     */
    history: (windows: readonly TimeWindow[], filter?: Filter) =>
      database.read(function* () {
        return {
          currency: yield* countedCurrency(),
          totals: yield* totalsIn(windows, filter),
          firstView: (yield* get(selectFirstView))?.at,
          firstCount: (yield* get(selectFirstCount))?.at ?? undefined,
        };
      }),

    /** Time of the last counted page view up to `now`; undefined when there is none. */
    lastView: async (now: number) =>
      (await database.read(() => get(selectLastView, [now])))?.at ?? undefined,

    /**
     * Deletes the events of UTC days before `day` (its number since 1970), except the 200 days before the
     * newest event; returns the number deleted. Counters stay: a window begins and ends at the full hour there.
     */
    prune: (day: number) => pruneEvents(database, day * dayMs),

    /** Excluded counts by reason in the hours that overlap the window. */
    async excludedCounts({
      from,
      to,
    }: TimeWindow): Promise<Partial<Record<ExclusionReason, number>>> {
      const rows = await database.read(() => all(sumExcluded, [hourOf(from), to]));
      return Object.fromEntries(rows.map(({ reason, n }) => [reason, n]));
    },

    /** Whether any sale is stored. */
    hasSales: () => database.read(() => exists('SELECT 1 AS one FROM conversion LIMIT 1')),

    /** The sales of a window, newest first, fully refunded ones included. */
    sales: (window: TimeWindow, options: PageOptions) =>
      database.read(() => pageOfSales('sales', window, options)),

    /** The sales that the total counts as conversions, newest first. */
    conversions: (window: TimeWindow, options: PageOptions) =>
      database.read(() => pageOfSales('conversions', window, options)),

    /** The events of an activity in a window, newest first. */
    events: (activity: Activity, window: TimeWindow, options: PageOptions) =>
      database.read(() => pageOfEvents(activity, window, options)),

    /**
     * Totals of several windows, in the same order, and the sources, buttons and other currencies of one of
     * them; with the currency of their money, from one snapshot. A filter by source leaves all sources, one by
     * button all buttons, so that they can be compared.
     */
    breakdown: (window: TimeWindow, windows: readonly TimeWindow[], filter?: Filter) =>
      database.read(() => breakdownOf(window, windows, filter)),

    /**
     * The money of a window. Its cost grows with the refunds, taxes, fees and other currencies in it. With a
     * filter it has no cash and no other sales, which belong to no source and no button.
     */
    money: (window: TimeWindow, filter?: Filter) => database.read(() => moneyOf(window, filter)),

    /** Pairs of sales that may be one, which the owner has not decided. */
    doubts: () => database.read(openDoubts),

    /** Streams the sales of a window (default: all), oldest first, in constant memory. */
    allConversions: (window: TimeWindow = ever) => allConversions(database, window),

    /** Streams the events of a window (default: all), oldest first, in constant memory. */
    allEvents: (window: TimeWindow = ever) => allEvents(database, window),

    /** The sales to this email address, oldest first. */
    salesTo: (email: string) => database.read(() => salesTo(email)),

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

function* totalsIn(
  windows: readonly TimeWindow[],
  filter: Filter | undefined,
): Statements<Totals[]> {
  return yield* totalsOfEach(windows, yield* seriesOf(filter));
}

const selectSalt = sql`SELECT ${columns('visitor_salt', 'salt')} FROM visitor_salt WHERE day = ?`;

const firstHour = (kind: number) => `SELECT min(hour) AS hour FROM counter
  WHERE source = ${allSources} AND button = '${allButtons}' AND kind = ${kind}`;

const selectFirstView = handTyped<{ at: number }>(`SELECT coalesce(
    (SELECT min(at - at % ${minuteMs}) FROM event
      WHERE kind = ${kinds.page_view} AND at >= hour AND at < hour + ${hourMs}),
    hour
  ) AS at FROM (${firstHour(kinds.page_view)}) AS first WHERE hour IS NOT NULL`);

const selectFirstCount = handTyped<{ at: number | null }>(sql`SELECT min(hour) AS at FROM (
  ${joined(Object.values(kinds).map(firstHour), ' UNION ALL ')}
  UNION ALL SELECT min(at) FROM conversion WHERE ${isCountedSale}) AS first`);

const selectLastView = sql`SELECT ${columns('event', { at: max('at') })} FROM event
  WHERE kind = ${kinds.page_view} AND at <= ?`;

const sumExcluded = sql`SELECT ${columns('excluded_count', 'reason', { n: computed<number>('sum(n)') })}
  FROM excluded_count WHERE hour >= ? AND hour < ? GROUP BY reason`;
