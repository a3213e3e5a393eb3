import { isDeepStrictEqual } from 'node:util';
import type { SettledSale } from '../analytics/store.ts';
import type { Attribution } from '../attribution/token.ts';
import type { Sqlite, Tx } from '../database/sqlite.ts';
import { saleOf } from './fold.ts';
import { eventsOf, keptPayload, redactBefore, redactEvents } from './person-sqlite.ts';
import type { PaymentCheck, PaymentStore } from './store.ts';
import { eventOf } from './stripe-facts.ts';

/** Where sales are counted: that is another feature's table. */
export interface Sales {
  /** Makes the sale of this payment what it is now; undefined: there is none. */
  settle(tx: Tx, payment: string, sale: SettledSale | undefined): void;
  /** The sale that is counted for this payment. */
  settled(tx: Pick<Tx, 'get'>, payment: string): SettledSale | undefined;
  /** Payments that a sale is counted for, after `payment` in their order, at most `limit`. */
  payments(tx: Pick<Tx, 'all'>, after: string, limit: number): string[];
  /** Where the buyer of a payment `at` came from, by what went along to its checkout. */
  attribution(tx: Pick<Tx, 'get'>, reference: string, at: number): Attribution | undefined;
}

const pageLength = 500;

export function createSqlitePaymentStore(database: Sqlite, sales: Sales): PaymentStore {
  const rebuild = (tx: Tx, payment: string) => rebuilt(tx, sales, payment);
  return {
    receive: ({ event, payload, receivedAt }) =>
      database.write((tx) => {
        const { id, type, payment, createdAt } = event;
        const kept = keptPayload(tx, sales, { payment, createdAt, payload });
        const isNew = tx.run(
          `INSERT INTO payment_event (id, type, payment, created_at, received_at, payload)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          [id, type, payment, createdAt, receivedAt, kept],
        );
        if (isNew === 0) return false;
        if (payment !== null) sales.settle(tx, payment, rebuilt(tx, sales, payment));
        return true;
      }),

    newest: async () => {
      const row = database.read((tx) =>
        tx.get<{ at: number | null }>('SELECT max(created_at) AS at FROM payment_event'),
      );
      return row?.at ?? undefined;
    },

    sale: async (payment) => database.read((tx) => sales.settled(tx, payment)),

    async *begunSince(since, { isLive }) {
      for (let last = { at: since, id: '' }; ; ) {
        // What is told of a checkout is told after it began.
        const page = database.read((tx) =>
          tx.all<{ at: number; id: string; payment: string }>(
            `SELECT created_at AS at, id, payment FROM payment_event
             WHERE (created_at, id) > (?, ?) AND payment IS NOT NULL
               AND type LIKE 'checkout.session.%'
               AND json_extract(payload, '$.livemode') = ?
               AND json_extract(payload, '$.data.object.created') >= ?
             ORDER BY created_at, id LIMIT ?`,
            [last.at, last.id, Number(isLive), Math.floor(since / 1000), pageLength],
          ),
        );
        for (const { payment } of page) yield payment;
        const end = page.at(-1);
        if (!end) return;
        last = end;
      }
    },

    eventsOf: async (email) =>
      (await eventsOf(database, email)).map(({ payload }) => JSON.parse(payload)),

    async erase(email) {
      const events = await eventsOf(database, email);
      await redactEvents(database, sales, rebuild, events);
      return events.length;
    },

    forgetBuyers: (before) => redactBefore(database, sales, rebuild, before),

    async compare() {
      const check: PaymentCheck = { checked: 0, differences: [] };
      for (let after = ''; ; ) {
        const page = database.read((tx) => {
          const payments = nextPayments(tx, sales, after);
          return payments.map((payment) => ({
            payment,
            kept: sales.settled(tx, payment),
            rebuilt: rebuilt(tx, sales, payment),
          }));
        });
        check.checked += page.length;
        check.differences.push(
          ...page.filter(({ kept, rebuilt }) => !isDeepStrictEqual(kept, rebuilt)),
        );
        const last = page.at(-1);
        if (!last) return check;
        after = last.payment;
        // A server beside it goes on.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** The sale that the inbox makes of a payment. */
function rebuilt(
  tx: Pick<Tx, 'all' | 'get'>,
  sales: Sales,
  payment: string,
): SettledSale | undefined {
  const rows = tx.all<{ payload: string }>('SELECT payload FROM payment_event WHERE payment = ?', [
    payment,
  ]);
  return saleOf(
    rows.flatMap(({ payload }) => eventOf(JSON.parse(payload)).facts),
    (reference, at) => sales.attribution(tx, reference, at),
  );
}

/** Payments of the inbox or of the sales, in order: one that is missing in either shows. */
function nextPayments(tx: Pick<Tx, 'all'>, sales: Sales, after: string): string[] {
  const told = tx
    .all<{ payment: string }>(
      `SELECT DISTINCT payment FROM payment_event WHERE payment > ? ORDER BY payment LIMIT ?`,
      [after, pageLength],
    )
    .map(({ payment }) => payment);
  const counted = sales.payments(tx, after, pageLength);
  return [...new Set([...told, ...counted])].sort(byCodeUnit).slice(0, pageLength);
}

/** As the database orders text. */
const byCodeUnit = (a: string, b: string) => (a < b ? -1 : 1);
