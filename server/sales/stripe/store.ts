/** Stores Stripe's events and keeps the sales of their payments up to date. */
import { z } from 'zod';
import { columns, max } from '../../database/columns.ts';
import { all, type Database, get, readInBatches, run } from '../../database/database.ts';
import type { Row } from '../../database/schema.ts';
import { insertInto, jsonOf, sql } from '../../database/sql.ts';
import { countedPaymentLinks } from '../payment-links.ts';
import { settledSale } from '../rows.ts';
import type { SettledSale } from '../sale.ts';
import { type SaleSettings, settle } from '../settle.ts';
import { eventOf, listsRefunds, refundTypes, type StripeEvent } from './facts.ts';
import { eventsOf, payloadToStore, redactBefore, redactEvents } from './person.ts';

/** A fee of Stripe for a payment. */
export type Fee = Row<'stripe_fee'>;

/** An event and its body. */
interface Delivery {
  event: StripeEvent;
  /** The body as JSON, unchanged. */
  payload: string;
  /** Milliseconds since 1970, UTC. */
  receivedAt: number;
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

const pageLength = 500;

export function createPaymentStore(database: Database, settings: SaleSettings) {
  return {
    /** The ids of the Payment Links that sell the product; with none, every checkout sells it. */
    paymentLinks: (): Promise<string[]> => database.read(countedPaymentLinks),

    /**
     * Stores an event and rebuilds the sale of its payment in one transaction: when it resolves, both are
     * on disk. Returns false for an event that was stored before.
     */
    receive: ({ event, payload, receivedAt }: Delivery): Promise<boolean> =>
      database.write(function* () {
        const { id, type, payment, createdAt } = event;
        const stored = yield* payloadToStore({ payment, createdAt, payload });
        const inserted = yield* run(
          `INSERT INTO payment_event (id, type, payment, created_at, received_at, payload)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          [id, type, payment, createdAt, receivedAt, stored],
        );
        if (inserted === 0) return false;
        if (payment !== null) yield* settle(settings, payment, receivedAt);
        return true;
      }),

    /** Returns when the newest stored event was created, milliseconds since 1970, UTC. */
    async newest(): Promise<number | undefined> {
      const row = await database.read(() => get(newestEvent));
      return row?.at ?? undefined;
    },

    /**
     * Returns when the newest sum of a charge's refunds since `since` was reported (ms since 1970, UTC), if no event
     * about a refund was created from `toleranceMs` before it on; otherwise undefined.
     */
    unlistedRefundsAt: (since: number, toleranceMs: number): Promise<number | undefined> =>
      database.read(function* () {
        const sum = yield* get(newestRefundSum, [since]);
        if (!sum || !listsRefunds(JSON.parse(sum.payload).api_version)) return undefined;
        return (yield* get(refundSince, [sum.at - toleranceMs])) ? undefined : sum.at;
      }),

    /** Returns the counted sale of a payment. */
    sale: (payment: string): Promise<SettledSale | undefined> =>
      database.read(() => settledSale(payment)),

    /**
     * Lists payments, live or test, whose checkout was created at `since` (milliseconds since 1970, UTC) or
     * later, paid or not. A payment can be listed more than once.
     */
    async *checkoutsSince(since: number, { isLive }: { isLive: boolean }): AsyncIterable<string> {
      // A checkout's events are never older than the checkout.
      const next = (last: CheckoutEvent | undefined) =>
        all(checkoutEvents, [last?.at ?? since, last?.id ?? '', pageLength]);
      for await (const { payment, payload } of readInBatches(database, next, pageLength)) {
        if (payment !== null && isCreatedSince(payload, since, isLive)) yield payment;
      }
    },

    /** Returns the bodies of events that contain this email address, and of all others of their payments. */
    eventsOf: async (email: string): Promise<{ id: string }[]> =>
      (await eventsOf(database, email)).map(({ payload }) => JSON.parse(payload)),

    /**
     * Removes the buyer from the events that `eventsOf` returns and from their sales. Later events of the
     * same payments are stored without the buyer; totals stay the same. Returns the number of events.
     */
    async erase(email: string): Promise<number> {
      const events = await eventsOf(database, email);
      await redactEvents(database, settings, events);
      return events.length;
    },

    /** Removes the buyers from all events before `before` (ms since 1970, UTC); returns their number. */
    eraseBuyersBefore: (before: number): Promise<number> =>
      redactBefore(database, settings, before),

    /** Stores fees, each once. */
    async addFees(fees: readonly Fee[]): Promise<void> {
      for (let i = 0; i < fees.length; i += pageLength) {
        const rows = jsonOf('stripe_fee', fees.slice(i, i + pageLength));
        await database.write(() => run(insertFees, [rows]));
      }
    },

    /** Returns the fees charged at `since` (milliseconds since 1970, UTC) or later, the oldest first. */
    feesSince: (since: number): Promise<Fee[]> => database.read(() => all(selectFees, [since])),

    /** Returns when the newest stored fee was charged, milliseconds since 1970, UTC. */
    async newestFee(): Promise<number | undefined> {
      const row = await database.read(() => get(newestFee));
      return row?.at ?? undefined;
    },

    /** Returns the number of test payments with a counted sale. */
    async countTestSales(): Promise<number> {
      const counted = new Set<string>();
      for await (const { payment } of testEvents(database)) {
        if (payment !== null && (await database.read(() => settledSale(payment)))) {
          counted.add(payment);
        }
      }
      return counted.size;
    },

    /** Deletes the events of test payments and their sales. Returns the number of events. */
    async deleteTests(stopped: AbortSignal): Promise<number> {
      let deleted = 0;
      for await (const { id, payment } of testEvents(database)) {
        if (stopped.aborted) return deleted;
        await database.write(function* () {
          yield* run('DELETE FROM payment_event WHERE id = ?', [id]);
          if (payment === null) return;
          yield* run('DELETE FROM stripe_fee WHERE payment = ?', [payment]);
          yield* settle(settings, payment);
        });
        deleted += 1;
      }
      return deleted;
    },
  };
}

/** The events of test payments, in the order of their ids. */
async function* testEvents(
  database: Database,
): AsyncGenerator<Pick<Row<'payment_event'>, 'id' | 'payment'>> {
  const next = (last: (typeof maybeTests)['rows'] | undefined) =>
    all(maybeTests, [last?.id ?? '', pageLength]);
  for await (const { id, payment, payload } of readInBatches(database, next, pageLength)) {
    if (!eventOf(JSON.parse(payload)).isLive) yield { id, payment };
  }
}

const inSql = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ');

/** In the two ways that Stripe and `JSON.stringify` write it. */
const maybeTests = sql`SELECT ${columns('payment_event', 'id', 'payment', 'payload')}
  FROM payment_event
  WHERE id > ? AND (payload LIKE '%"livemode": false%' OR payload LIKE '%"livemode":false%')
  ORDER BY id LIMIT ?`;

const insertFees = sql`${insertInto('stripe_fee')} ON CONFLICT DO NOTHING`;

const selectFees = sql`SELECT ${columns('stripe_fee', 'id', 'payment', 'at', 'amount', 'currency')}
  FROM stripe_fee WHERE at >= ? ORDER BY at, id`;

const newestFee = sql`SELECT ${columns('stripe_fee', { at: max('at') })} FROM stripe_fee`;

const newestEvent = sql`SELECT ${columns('payment_event', { at: max('created_at') })}
  FROM payment_event`;

const newestRefundSum = sql`SELECT ${columns('payment_event', 'payload', { at: 'created_at' })}
  FROM payment_event WHERE created_at >= ? AND type = 'charge.refunded'
  ORDER BY created_at DESC LIMIT 1`;

const refundSince = sql`SELECT ${columns('payment_event', 'id')} FROM payment_event
  WHERE created_at >= ? AND type IN (${inSql(refundTypes)}) LIMIT 1`;

/** Checkout events. Payloads are parsed in JavaScript, which accepts JSON that the databases reject. */
const checkoutEvents = sql`SELECT ${columns('payment_event', 'id', 'payment', 'payload', {
  at: 'created_at',
})} FROM payment_event
  WHERE (created_at, id) > (?, ?) AND payment IS NOT NULL AND type LIKE 'checkout.session.%'
  ORDER BY created_at, id LIMIT ?`;

type CheckoutEvent = (typeof checkoutEvents)['rows'];

const checkoutPayload = z.object({
  livemode: z.boolean(),
  data: z.object({ object: z.object({ created: z.number() }) }),
});

/** Whether a live or test checkout was created at `since` (ms since 1970, UTC) or later. */
function isCreatedSince(payload: string, since: number, isLive: boolean): boolean {
  const { success, data } = checkoutPayload.safeParse(JSON.parse(payload));
  return (
    success && data.livemode === isLive && data.data.object.created >= Math.floor(since / 1000)
  );
}
