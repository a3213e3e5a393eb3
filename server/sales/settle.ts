/** Rebuilds a sale from the stored events of its payment and from the reports with its id. */

import { columns } from '../database/columns.ts';
import { all, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { queueEvent } from '../email/store.ts';
import { saleEvents } from './events.ts';
import { type Attribute, isUnconverted, type ReportedSale, saleOf } from './fold.ts';
import { reportsOf } from './reports.ts';
import type { SettledSale } from './sale.ts';
import { eventOf } from './stripe/facts.ts';

/** The table of sales, which belongs to the analytics feature. */
export interface Sales {
  /** Sets the sale with this id; undefined deletes it. */
  settle(id: string, sale: SettledSale | undefined): Statements<void>;
  /** Gives a sale another id, also in its doubted pairs. */
  rename(id: string, to: string): Statements<void>;
  /** Returns the stored sale with this id. */
  settled(id: string): Statements<SettledSale | undefined>;
  /** Returns ids of stored sales, sorted, at most `limit` after `after`; reported ones if asked for. */
  ids(after: string, page: { limit: number; withReported: boolean }): Statements<string[]>;
  /** Returns the sales in favour of which the owner dropped this one, also by way of others. */
  keptFor(id: string): Statements<string[]>;
  /** Returns the sales that the owner dropped in favour of this one, also by way of others. */
  droppedFor(id: string): Statements<string[]>;
  /** Stores whether two sales are one; null asks again. Returns false when they are no doubted pair. */
  decideDoubt(ids: readonly [string, string], isOneSale: boolean | null): Statements<boolean>;
  /** The Payment Links of the product; with none, every checkout sells it. */
  paymentLinks: readonly string[];
  /** Whether new sales and refunds are events for the webhook receiver. */
  hasWebhook: boolean;
  /** Returns the function that reads the attribution from a checkout's reference. */
  attributions(): Statements<Attribute>;
}

const payloadsOf = sql`SELECT ${columns('payment_event', 'payload', { receivedAt: 'received_at' })}
  FROM payment_event WHERE payment = ?`;

/** All that is known of a sale. */
interface Known {
  /** The bodies of the events of its payment. */
  events: unknown[];
  /** When the newest of them arrived, milliseconds since 1970, UTC; undefined without events. */
  receivedAt: number | undefined;
  reports: ReportedSale[];
}

/**
 * Computes a sale and stores it, and those dropped for it: they count again when it no longer does. With
 * `announcedAt`, the time at which new facts of it arrived (ms since 1970, UTC), queues its events.
 */
export function* resettle(sales: Sales, id: string, announcedAt?: number): Statements<void> {
  for (const one of [id, ...(yield* sales.droppedFor(id))]) {
    const isAnnounced = announcedAt !== undefined && sales.hasWebhook;
    const before = isAnnounced ? yield* sales.settled(one) : undefined;
    const { sale } = yield* rebuildSale(sales, one);
    yield* sales.settle(one, sale);
    if (!isAnnounced) continue;
    for (const event of saleEvents(one, { before, after: sale, at: announcedAt })) {
      yield* queueEvent(event, announcedAt);
    }
  }
}

/** Computes a sale from what is known, and whether money of it was returned that could not be deducted. */
export function* rebuildSale(
  sales: Sales,
  id: string,
): Statements<{ sale: SettledSale | undefined; isUnconverted: boolean; known: Known }> {
  const { sale, facts, known } = yield* ownSale(sales, id);
  const isOther = sale !== undefined && (sale.origin === 'other' || (yield* isDropped(sales, id)));
  return {
    sale: isOther ? { ...sale, origin: 'other', entries: [] } : sale,
    isUnconverted: isUnconverted(facts, known.reports),
    known,
  };
}

/**
 * Whether the owner dropped this sale in favour of one of the product. That one counts, or was dropped for
 * another one that counts.
 */
function* isDropped(sales: Sales, id: string): Statements<boolean> {
  for (const kept of yield* sales.keptFor(id)) {
    const { sale } = yield* ownSale(sales, kept);
    if (sale && sale.origin !== 'other') return true;
  }
  return false;
}

/** Computes a sale as if the owner had dropped none. */
function* ownSale(sales: Sales, id: string) {
  const rows = yield* all(payloadsOf, [id]);
  const events = rows.map(({ payload }): unknown => JSON.parse(payload));
  const facts = events.flatMap((event) => eventOf(event).facts);
  const receivedAt =
    rows.length > 0 ? Math.max(...rows.map(({ receivedAt }) => receivedAt)) : undefined;
  const reports = yield* reportsOf(id);
  const sale = saleOf(facts, {
    attribute: yield* sales.attributions(),
    paymentLinks: sales.paymentLinks,
    reports,
    receivedAt,
  });
  const known: Known = { events, receivedAt, reports };
  return { sale, facts, known };
}
