/** Keeps the sales equal to what Stripe's events and other reports say. */
import { columns } from '../database/columns.ts';
import { all, type Database, type Statements, writeUntilDone } from '../database/database.ts';
import { schema } from '../database/schema.ts';
import { jsonRows, sql } from '../database/sql.ts';
import { compareSales, differingPayments } from './compare.ts';
import { decideDoubt } from './doubts.ts';
import { countedPaymentLinks, storePaymentLinks } from './payment-links.ts';
import {
  addReport,
  eraseReports,
  reportsBefore,
  reportsTo,
  type SaleReport,
  storedId,
} from './reports.ts';
import { renameSale, settledSale } from './rows.ts';
import { type SaleSettings, settle } from './settle.ts';

/** What is known of a sale before it is reported. */
export interface KnownSale {
  /** Of its first report; undefined: only Stripe’s events say what it is. */
  currency: string | undefined;
  amount: number;
  refunded: number;
}

export type SaleStore = ReturnType<typeof createSaleStore>;

export function createSaleStore(database: Database, settings: SaleSettings) {
  const erase = function* (ids: readonly string[]): Statements<number> {
    for (const id of ids) {
      const erased = yield* eraseReports(id);
      if (erased !== id) yield* renameSale(id, erased);
      yield* settle(settings, erased);
    }
    return ids.length;
  };
  return {
    /**
     * How many reports at once share a commit without delaying the writes of visitors. Of SQLite's reports, the
     * commit takes longest. On PostgreSQL each report takes several round trips.
     */
    batchSize: database.engine === 'sqlite' ? 100 : 20,

    /**
     * Stores a report that arrives at `now` (milliseconds since 1970, UTC) and counts its sale. When it
     * resolves, both are on disk. Idempotent by id: a known sale changes only in what was returned of it.
     * Announced, it goes to the webhook receiver, too: an import of old sales must not.
     */
    report: (given: SaleReport, now = Date.now(), { isAnnounced = false } = {}) =>
      database.write(function* () {
        const report = { ...given, id: yield* storedId(given.id) };
        const isCounted = (yield* settledSale(report.id)) !== undefined;
        const result = yield* addReport(report, now);
        if (result === 'new' || result === 'changed') {
          yield* settle(settings, report.id, isAnnounced ? now : undefined);
        }
        return result === 'new' && isCounted ? ('known' as const) : result;
      }),

    /** What is known of these sales, by id: amount and refund of the newest report, or of the counted sale. */
    known: (ids: readonly string[]) =>
      database.read(function* () {
        const known = new Map<string, KnownSale>();
        const givenIds = new Map<string, string>();
        for (const id of ids) givenIds.set(yield* storedId(id), id);
        const wanted = [JSON.stringify([...givenIds.keys()].map((id) => [id]))];
        const add = (id: string, sale: KnownSale) => known.set(givenIds.get(id) ?? id, sale);
        for (const { id, ...sale } of yield* all(countedAmong, wanted)) {
          add(id, { ...sale, currency: undefined });
        }
        for (const { id, ...sale } of yield* all(reportsAmong, wanted)) add(id, sale);
        return known;
      }),

    /**
     * Stores whether two sales are one, which then counts once; null asks again. Returns false when they
     * are no doubted pair.
     */
    decideDoubt: (ids: readonly [string, string], isOneSale: boolean | null): Promise<boolean> =>
      database.write(function* () {
        if (!(yield* decideDoubt(ids, isOneSale))) return false;
        for (const id of ids) yield* settle(settings, id);
        return true;
      }),

    /**
     * Sets the Payment Links of Stripe, by their ids, that sell the product; without any, every checkout sells it.
     * `rebuild` applies them to stored payments.
     */
    async setPaymentLinks(ids: readonly string[]): Promise<void> {
      const stored = await database.read(countedPaymentLinks);
      if (String(stored) === String([...new Set(ids)].sort())) return;
      await database.write(() => storePaymentLinks(ids));
    },

    /** Compares every stored sale with what its events and reports result in. */
    compare: () => compareSales(database),

    /**
     * Counts each payment as its events and the Payment Links say, since an update of this program may read them
     * better. Returns the number of sales that changed.
     */
    async rebuild(stopped: AbortSignal): Promise<number> {
      let changed = 0;
      if (stopped.aborted) return changed;
      for await (const id of differingPayments(database)) {
        if (stopped.aborted) return changed;
        await database.write(() => settle(settings, id));
        changed += 1;
      }
      return changed;
    },

    /**
     * Deletes this email address from reports and their sales; returns the number of sales. Sales and totals
     * stay. The payment store erases buyers from Stripe's events.
     */
    eraseBuyer: (email: string): Promise<number> =>
      database.write(function* () {
        return yield* erase(yield* reportsTo(email));
      }),

    /** Deletes the buyers from reports of sales before `before` (ms since 1970, UTC), and from these sales. */
    eraseBuyersBefore: (before: number): Promise<number> =>
      writeUntilDone(database, function* () {
        return yield* erase(yield* reportsBefore(before));
      }),
  };
}

const wantedIds = sql`(SELECT id FROM ${jsonRows({ id: schema.sale_report.id })} AS wanted)`;
const countedAmong = sql`SELECT ${columns('conversion', 'id', 'amount', 'refunded')}
  FROM conversion WHERE id IN ${wantedIds}`;
const reportsAmong = sql`SELECT ${columns('sale_report', 'id', 'currency', 'amount', 'refunded')}
  FROM sale_report WHERE id IN ${wantedIds} ORDER BY reported_at`;
