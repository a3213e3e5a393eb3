/** The events about a sale for the webhook receiver. */
import { createHash, randomUUID } from 'node:crypto';
import { isoOf } from '../time/iso.ts';
import type { SaleData, WebhookEvent } from '../webhooks/event.ts';
import type { StoredSale } from './rows.ts';

/**
 * Returns what a change of a sale announces: that it counts, once under an id of its own, and that another
 * sum of it was refunded. Each holds the whole state, so their order does not matter.
 */
export function saleEvents(
  id: string,
  {
    before,
    after,
    at,
  }: { before: StoredSale | undefined; after: StoredSale | undefined; at: number },
): WebhookEvent[] {
  if (!isCounted(after)) return [];
  const wasCounted = isCounted(before);
  const data = dataOf(id, after);
  const events: WebhookEvent[] = [];
  if (!wasCounted) events.push({ id: recordedId(id), at, type: 'sale.recorded', data });
  if (after.refunded !== (wasCounted ? before.refunded : 0)) {
    events.push({ id: `sale-refunded-${randomUUID()}`, at, type: 'sale.refunded', data });
  }
  return events;
}

const isCounted = (sale: StoredSale | undefined): sale is StoredSale =>
  sale !== undefined && sale.origin !== 'other';

/** Other checkouts choose the ids of their sales, which may hold any character. */
const recordedId = (id: string) =>
  `sale-recorded-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;

const dataOf = (
  id: string,
  { at, amount, refunded, currency, source, button }: StoredSale,
): SaleData => ({
  id,
  timestamp: isoOf(at),
  amount,
  refunded,
  currency,
  source,
  button,
});
