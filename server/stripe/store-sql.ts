import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { SettledSale } from '../analytics/store.ts';
import { sourceText } from '../attribution/source-name.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { type Attribute, saleOf } from '../sales/fold.ts';
import { eventOf } from './facts.ts';
import { cleanSources, eventsOf, keptPayload, redactBefore, redactEvents } from './person-sql.ts';
import type { PaymentCheck, PaymentStore } from './store.ts';

/** Where sales are counted: that is another feature's table. */
export interface Sales {
  /** Makes the sale of this payment what it is now; undefined: there is none. */
  settle(payment: string, sale: SettledSale | undefined): Statements<void>;
  /** The sale that is counted for this payment. */
  settled(payment: string): Statements<SettledSale | undefined>;
  /** Payments that a sale is counted for, after `payment` in their order, at most `limit`. */
  payments(after: string, limit: number): Statements<string[]>;
  /** Tells where buyers came from, by what went along to their checkouts. */
  attributions(): Statements<Attribute>;
}

const pageLength = 500;

export function createPaymentStore(database: Database, sales: Sales): PaymentStore {
  const rebuild = (payment: string) => rebuilt(sales, payment);
  return {
    receive: ({ event, payload, receivedAt }) =>
      database.write(function* () {
        const { id, type, payment, createdAt } = event;
        const kept = yield* keptPayload(sales, { payment, createdAt, payload });
        const isNew = yield* run(
          `INSERT INTO payment_event (id, type, payment, created_at, received_at, payload)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          [id, type, payment, createdAt, receivedAt, kept],
        );
        if (isNew === 0) return false;
        if (payment !== null) yield* sales.settle(payment, yield* rebuild(payment));
        return true;
      }),

    newest: async () => {
      const row = await database.read(() =>
        get<{ at: number | null }>('SELECT max(created_at) AS at FROM payment_event'),
      );
      return row?.at ?? undefined;
    },

    sale: (payment) => database.read(() => sales.settled(payment)),

    async *checkoutsSince(since, { isLive }) {
      for (let last = { at: since, id: '' }; ; ) {
        // What is told of a checkout is told after it began.
        const { at, id } = last;
        const page = await database.read(() =>
          all<{ at: number; id: string; payment: string; payload: string }>(begun, [
            at,
            id,
            pageLength,
          ]),
        );
        for (const { payment, payload } of page) {
          if (isBegun(payload, since, isLive)) yield payment;
        }
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

    cleanSources: () => cleanSources(database),

    eraseBuyersBefore: (before) => redactBefore(database, sales, rebuild, before),

    async compare() {
      const check: PaymentCheck = { checked: 0, differences: [] };
      for (let after = ''; ; ) {
        const last = after;
        const page = await database.read(function* () {
          const found = [];
          for (const payment of yield* nextPayments(sales, last)) {
            const stored = yield* sales.settled(payment);
            found.push({ payment, stored, rebuilt: yield* rebuild(payment) });
          }
          return found;
        });
        check.checked += page.length;
        check.differences.push(
          ...page.filter(
            ({ stored, rebuilt }) => !isDeepStrictEqual(withCleanSources(stored), rebuilt),
          ),
        );
        const end = page.at(-1);
        if (!end) return check;
        after = end.payment;
        // A server beside it goes on.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** The sale as the nightly job makes it: earlier versions stored sources that name a person. */
const withCleanSources = (sale: SettledSale | undefined) =>
  sale && {
    ...sale,
    source: sale.source && sourceText(sale.source),
    firstSource: sale.firstSource && sourceText(sale.firstSource),
  };

/** What is told of checkouts; what it says is read here, since no engine reads every JSON that we do. */
const begun = `SELECT created_at AS at, id, payment, payload FROM payment_event
  WHERE (created_at, id) > (?, ?) AND payment IS NOT NULL AND type LIKE 'checkout.session.%'
  ORDER BY created_at, id LIMIT ?`;

const checkoutIn = z.object({
  livemode: z.boolean(),
  data: z.object({ object: z.object({ created: z.number() }) }),
});

/** Whether a checkout began at `since` (ms, UTC) or later, for real or for trial. */
function isBegun(payload: string, since: number, isLive: boolean): boolean {
  const { success, data } = checkoutIn.safeParse(JSON.parse(payload));
  return (
    success && data.livemode === isLive && data.data.object.created >= Math.floor(since / 1000)
  );
}

/** The sale that the inbox makes of a payment. */
function* rebuilt(sales: Sales, payment: string): Statements<SettledSale | undefined> {
  const rows = yield* all<{ payload: string }>(
    'SELECT payload FROM payment_event WHERE payment = ?',
    [payment],
  );
  return saleOf(
    rows.flatMap(({ payload }) => eventOf(JSON.parse(payload)).facts),
    yield* sales.attributions(),
  );
}

/** Payments of the inbox or of the sales, in order: one that is missing in either shows. */
function* nextPayments(sales: Sales, after: string): Statements<string[]> {
  const told = yield* all<{ payment: string }>(
    `SELECT DISTINCT payment FROM payment_event WHERE payment > ? ORDER BY payment LIMIT ?`,
    [after, pageLength],
  );
  const counted = yield* sales.payments(after, pageLength);
  return [...new Set([...told.map(({ payment }) => payment), ...counted])]
    .sort(byCodeUnit)
    .slice(0, pageLength);
}

/** As the database orders text. */
const byCodeUnit = (a: string, b: string) => (a < b ? -1 : 1);
