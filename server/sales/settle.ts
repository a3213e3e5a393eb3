/** Computes a sale from the stored events of its payment and the reports with its id, and stores it. */
import { columns } from '../database/columns.ts';
import { all, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { queueEvent } from '../webhooks/store.ts';
import { attributions } from './attribution.ts';
import { droppedFor, keptFor } from './doubts.ts';
import { saleEvents } from './events.ts';
import { isUnconverted, saleOf } from './fold.ts';
import { countedPaymentLinks } from './payment-links.ts';
import { reportsOf } from './reports.ts';
import { storeSale } from './rows.ts';
import type { SettledSale } from './sale.ts';
import { eventOf } from './stripe/facts.ts';

/** The settings of the site that its sales depend on. They can change while it runs. */
export interface SaleSettings {
  /** Whether new sales and refunds are events for the webhook receiver. */
  hasWebhook: boolean;
}

/**
 * Computes a sale and stores it, and those dropped for it: they count again when it no longer does. With
 * `announcedAt`, the time at which new facts of it arrived (ms since 1970, UTC), queues its events.
 */
export function* settle(
  settings: SaleSettings,
  id: string,
  announcedAt?: number,
): Statements<void> {
  const paymentLinks = yield* countedPaymentLinks();
  for (const one of [id, ...(yield* droppedFor(id))]) {
    const { sale } = yield* computeSale(paymentLinks, one);
    const before = yield* storeSale(one, sale);
    if (announcedAt === undefined || !settings.hasWebhook) continue;
    for (const event of saleEvents(one, { before, after: sale, at: announcedAt })) {
      yield* queueEvent(event, announcedAt);
    }
  }
}

/** Computes a sale from what is known, and whether money of it was returned that could not be deducted. */
export function* computeSale(
  paymentLinks: readonly string[],
  id: string,
): Statements<{ sale: SettledSale | undefined; isUnconverted: boolean }> {
  const { sale, facts, reports } = yield* ownSale(paymentLinks, id);
  const isOther =
    sale !== undefined && (sale.origin === 'other' || (yield* isDropped(paymentLinks, id)));
  return {
    sale: isOther ? { ...sale, origin: 'other', entries: [] } : sale,
    isUnconverted: isUnconverted(facts, reports),
  };
}

/**
 * Whether the owner dropped this sale in favour of one of the product. That one counts, or was dropped for
 * another one that counts.
 */
function* isDropped(paymentLinks: readonly string[], id: string): Statements<boolean> {
  for (const kept of yield* keptFor(id)) {
    const { sale } = yield* ownSale(paymentLinks, kept);
    if (sale && sale.origin !== 'other') return true;
  }
  return false;
}

const selectEvents = sql`SELECT ${columns('payment_event', 'payload', { receivedAt: 'received_at' })}
  FROM payment_event WHERE payment = ?`;

/** Computes a sale as if the owner had dropped none. */
function* ownSale(paymentLinks: readonly string[], id: string) {
  const rows = yield* all(selectEvents, [id]);
  const facts = rows.flatMap(({ payload }) => eventOf(JSON.parse(payload)).facts);
  const receivedAt =
    rows.length > 0 ? Math.max(...rows.map(({ receivedAt }) => receivedAt)) : undefined;
  const reports = yield* reportsOf(id);
  const attribute = yield* attributions();
  const sale = saleOf(facts, { attribute, paymentLinks, reports, receivedAt });
  return { sale, facts, reports };
}
