/** Keeps the sales equal to what Stripe's events and other reports say. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sourceText } from '../attribution/source-name.ts';
import { columns } from '../database/columns.ts';
import { all, type Database, type Statements, writeUntilDone } from '../database/database.ts';
import { schema } from '../database/schema.ts';
import { jsonRows, sql } from '../database/sql.ts';
import { type AuditedSale, auditedSale } from './audit.ts';
import {
  addReport,
  batchSize,
  cleanReportSources,
  eraseReports,
  orphansAfter,
  reportsBefore,
  reportsTo,
  type SaleReport,
  storedId,
} from './reports.ts';
import type { SettledSale } from './sale.ts';
import { rebuildSale, resettle, type Sales } from './settle.ts';

/** What is known of a sale before it is reported. */
interface KnownSale {
  currency: string | undefined;
  amount: number;
  refunded: number;
}

/** A sale that differs from the one that its events and reports result in. */
export interface SaleDifference {
  id: string;
  /** The sale that the dashboard counts. */
  stored: SettledSale | undefined;
  /** The sale computed from events and reports. */
  rebuilt: SettledSale | undefined;
}

/** A sale that differs from its recount by other code than the one that stored it. */
export interface AuditDifference {
  id: string;
  stored: SettledSale | undefined;
  audited: AuditedSale | undefined;
}

export interface SaleCheck {
  /** Number of sales that were rebuilt and recounted. */
  checked: number;
  differences: SaleDifference[];
  audits: AuditDifference[];
  /** Sales with a refund or dispute in a third currency, which no figure deducts. */
  unconverted: string[];
}

export type SaleStore = ReturnType<typeof createSaleStore>;

/** Sales that are compared at once, in a few milliseconds. */
const comparedLength = 50;

export function createSaleStore(database: Database, sales: Sales) {
  const erase = function* (ids: readonly string[]): Statements<number> {
    for (const id of ids) {
      const erased = yield* eraseReports(id);
      if (erased !== id) yield* sales.rename(id, erased);
      yield* resettle(sales, erased);
    }
    return ids.length;
  };
  /** Stores a report of each sale that an earlier version changed without one; returns how many had refunds. */
  const adoptAll = async (): Promise<number> => {
    let changed = 0;
    for (let after = ''; ; ) {
      const start = after;
      const { orphans, last } = await database.read(() => orphansAfter(start));
      for (let i = 0; i < orphans.length; i += batchSize) {
        await database.write(function* () {
          for (const { id, refunded } of orphans.slice(i, i + batchSize)) {
            const sale = yield* sales.settled(id);
            if (sale) yield* addReport({ id, ...sale }, Date.now());
            if (refunded > 0) yield* resettle(sales, id);
          }
        });
      }
      changed += orphans.filter(({ refunded }) => refunded > 0).length;
      if (last === undefined) return changed;
      after = last;
    }
  };
  return {
    /**
     * Of SQLite's reports, the commit takes longest. On PostgreSQL each report takes several round trips, in
     * which other writes wait.
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
        const isCounted = (yield* sales.settled(report.id)) !== undefined;
        const result = yield* addReport(report, now);
        if (result === 'new' || result === 'changed') {
          yield* resettle(sales, report.id, isAnnounced ? now : undefined);
        }
        return result === 'new' && isCounted ? ('known' as const) : result;
      }),

    /**
     * What is known of these sales, by id: amount and refund of the newest report, or of the counted sale.
     * `currency` is undefined unless another checkout reported it.
     */
    known: (ids: readonly string[]) =>
      database.read(function* () {
        const known = new Map<string, KnownSale>();
        const givenIds = new Map<string, string>();
        for (const id of ids) givenIds.set(yield* storedId(id), id);
        const wanted = [JSON.stringify([...givenIds.keys()].map((id) => [id]))];
        const add = (id: string, sale: KnownSale) => known.set(givenIds.get(id) ?? id, sale);
        for (const { id, origin, currency, amount, refunded } of yield* all(countedAmong, wanted)) {
          // An earlier version stored reported sales without their reports.
          add(id, { currency: origin === 'report' ? currency : undefined, amount, refunded });
        }
        for (const { id, currency, amount, refunded } of yield* all(reportsAmong, wanted)) {
          add(id, { currency, amount, refunded });
        }
        return known;
      }),

    /**
     * Stores whether two sales are one, which then counts once; null asks again. Returns false when they
     * are no doubted pair.
     */
    decideDoubt: (ids: readonly [string, string], isOneSale: boolean | null): Promise<boolean> =>
      database.write(function* () {
        if (!(yield* sales.decideDoubt(ids, isOneSale))) return false;
        for (const id of ids) yield* resettle(sales, id);
        return true;
      }),

    /** Rebuilds and recounts every sale and compares it with the counted one. */
    async compare(): Promise<SaleCheck> {
      const check: SaleCheck = { checked: 0, differences: [], audits: [], unconverted: [] };
      for await (const page of comparedPages(database, sales, { isComplete: true })) {
        check.checked += page.checked;
        check.differences.push(...page.differences);
        check.audits.push(...page.audits);
        check.unconverted.push(...page.unconverted);
      }
      return check;
    },

    /**
     * Counts each payment as its events and reports say, since an update of this program may read them
     * better; only `compare` reads sales without events again. Returns the number of sales that changed.
     */
    async rebuild(stopped: AbortSignal): Promise<number> {
      if (stopped.aborted) return 0;
      let changed = await adoptAll();
      for await (const { differences } of comparedPages(database, sales, { isComplete: false })) {
        if (stopped.aborted) return changed;
        await database.write(function* () {
          for (const { id } of differences) yield* resettle(sales, id);
        });
        changed += differences.length;
      }
      return changed;
    },

    /**
     * Deletes this email address from reports and their sales; returns the number of sales. Sales and totals
     * stay. The payment store erases buyers from Stripe's events.
     */
    async eraseBuyer(email: string): Promise<number> {
      await adoptAll();
      return database.write(function* () {
        return yield* erase(yield* reportsTo(email));
      });
    },

    /** Replaces sources with an email address in reports by `email`; earlier versions stored them. */
    async cleanSources(): Promise<void> {
      await adoptAll();
      await database.write(cleanReportSources);
    },

    /** Deletes the buyers from reports of sales before `before` (ms since 1970, UTC), and from these sales. */
    async eraseBuyersBefore(before: number): Promise<number> {
      await adoptAll();
      return writeUntilDone(database, function* () {
        return yield* erase(yield* reportsBefore(before));
      });
    },
  };
}

/**
 * The sales page by page, with the differences between stored and rebuilt ones. If complete, also those
 * without events, and the differences to the recount.
 */
async function* comparedPages(
  database: Database,
  sales: Sales,
  { isComplete }: { isComplete: boolean },
): AsyncGenerator<SaleCheck> {
  for (let after = ''; ; ) {
    const last = after;
    const page = await database.read(function* () {
      const found = [];
      for (const id of yield* nextIds(sales, last, { isComplete })) {
        const stored = yield* sales.settled(id);
        const { sale, isUnconverted, known } = yield* rebuildSale(sales, id);
        const audited = isComplete
          ? auditedSale(known.events, known.reports, known.receivedAt)
          : stored;
        found.push({ id, stored, rebuilt: sale, audited, isUnconverted });
      }
      return found;
    });
    const end = page.at(-1);
    if (!end) return;
    yield {
      checked: page.length,
      differences: page
        .filter(({ stored, rebuilt }) => isWrong(stored, rebuilt))
        .map(({ id, stored, rebuilt }) => ({ id, stored, rebuilt })),
      audits: page
        .filter(({ stored, audited }) => isMiscounted(stored, audited))
        .map(({ id, stored, audited }) => ({ id, stored, audited })),
      unconverted: page.flatMap(({ id, isUnconverted }) => (isUnconverted ? id : [])),
    };
    after = end.id;
    // A server in the same process must keep responding.
    await yieldToEventLoop();
  }
}

function isWrong(stored: SettledSale | undefined, rebuilt: SettledSale | undefined): boolean {
  // An earlier version stored reported sales without their reports, which the next start adds.
  if (stored?.origin === 'report' && !rebuilt) return false;
  return !isDeepStrictEqual(withCleanSources(stored), rebuilt);
}

function isMiscounted(stored: SettledSale | undefined, audited: AuditedSale | undefined): boolean {
  if (stored?.origin === 'report' && !audited) return false;
  if (!stored || !audited) return stored !== audited;
  return auditedFields.some((field) => stored[field] !== audited[field]);
}

const auditedFields = ['at', 'amount', 'refunded', 'disputed', 'currency'] as const;

/** The sale after the nightly job: earlier versions stored sources with an email address. */
const withCleanSources = (sale: SettledSale | undefined) =>
  sale && {
    ...sale,
    source: sale.source && sourceText(sale.source),
    firstSource: sale.firstSource && sourceText(sale.firstSource),
  };

const wantedIds = sql`(SELECT id FROM ${jsonRows({ id: schema.sale_report.id })} AS wanted)`;
const countedAmong = sql`SELECT ${columns('conversion', 'id', 'origin', 'currency', 'amount', 'refunded')}
  FROM conversion WHERE id IN ${wantedIds}`;
const reportsAmong = sql`SELECT ${columns('sale_report', 'id', 'currency', 'amount', 'refunded')}
  FROM sale_report WHERE id IN ${wantedIds} ORDER BY reported_at`;

const paymentsAfter = sql`SELECT DISTINCT ${columns('payment_event', 'payment')}
  FROM payment_event WHERE payment > ? ORDER BY payment LIMIT ?`;
const reportedAfter = sql`SELECT DISTINCT ${columns('sale_report', 'id')}
  FROM sale_report WHERE id > ? ORDER BY id LIMIT ?`;

/** Ids with events, reports or a sale, sorted, so that one missing on either side is found. */
function* nextIds(
  sales: Sales,
  after: string,
  { isComplete }: { isComplete: boolean },
): Statements<string[]> {
  const page = [after, comparedLength];
  const received = yield* all(paymentsAfter, page);
  const reported = isComplete ? yield* all(reportedAfter, page) : [];
  const counted = yield* sales.ids(after, { limit: comparedLength, withReported: isComplete });
  const ids = [
    ...received.flatMap(({ payment }) => payment ?? []),
    ...reported.map(({ id }) => id),
    ...counted,
  ];
  return [...new Set(ids)].sort(byBytes).slice(0, comparedLength);
}

/** Sorts text as the databases do. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
