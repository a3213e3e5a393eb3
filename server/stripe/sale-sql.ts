/** Rebuilds a payment's sale from its stored events. */
import type { SettledSale } from '../analytics/store.ts';
import { columns } from '../database/columns.ts';
import { all, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { type Attribute, isUnconverted, saleOf } from '../sales/fold.ts';
import { eventOf } from './facts.ts';

/** The table of sales, which belongs to the analytics feature. */
export interface Sales {
  /** Sets the sale of a payment; undefined deletes it. */
  settle(payment: string, sale: SettledSale | undefined): Statements<void>;
  /** Returns the counted sale of a payment. */
  settled(payment: string): Statements<SettledSale | undefined>;
  /** Returns payments with a counted sale, sorted, at most `limit` after `after`. */
  payments(after: string, limit: number): Statements<string[]>;
  /** The Payment Links of the product; with none, every checkout sells it. */
  paymentLinks: readonly string[];
  /** Returns the function that reads the attribution from a checkout's reference. */
  attributions(): Statements<Attribute>;
}

const payloadsOf = sql`SELECT ${columns('payment_event', 'payload', { receivedAt: 'received_at' })}
  FROM payment_event WHERE payment = ?`;

/** Computes the sale of a payment from its stored events; undefined while it is unpaid. */
export function* rebuildSale(sales: Sales, payment: string): Statements<SettledSale | undefined> {
  return (yield* readPayment(sales, payment)).sale;
}

/** The sale of a payment, and whether money of it was returned that could not be deducted. */
export function* readPayment(
  sales: Sales,
  payment: string,
): Statements<{ sale: SettledSale | undefined; isUnconverted: boolean }> {
  const rows = yield* all(payloadsOf, [payment]);
  const facts = rows.flatMap(({ payload }) => eventOf(JSON.parse(payload)).facts);
  const sale = saleOf(facts, yield* sales.attributions(), sales.paymentLinks);
  // No figure shows a sale in the future, which a clock that is ahead of ours would date.
  const newest = rows.reduce((at, { receivedAt }) => Math.max(at, receivedAt), -Infinity);
  return {
    sale: sale && { ...sale, at: Math.min(sale.at, newest) },
    isUnconverted: isUnconverted(facts),
  };
}
