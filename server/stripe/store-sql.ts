/** Stores Stripe's events and keeps the sales of their payments up to date. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { SettledSale } from '../analytics/store.ts';
import { sourceText } from '../attribution/source-name.ts';
import { columns, max } from '../database/columns.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import type { Row } from '../database/schema.ts';
import { sql } from '../database/sql.ts';
import { eventOf, eventTypes, type StripeEvent } from './facts.ts';
import {
  cleanSources,
  eventsOf,
  payloadToStore,
  redactBefore,
  redactEvents,
} from './person-sql.ts';
import { redactedStart } from './redact.ts';
import { readPayment, rebuildSale, type Sales } from './sale-sql.ts';

/** An event and its body. */
interface Delivery {
  event: StripeEvent;
  /** The body as JSON, unchanged. */
  payload: string;
  /** Milliseconds since 1970, UTC. */
  receivedAt: number;
}

/** A payment whose counted sale differs from the one that its events result in. */
export interface PaymentDifference {
  payment: string;
  /** The sale that the dashboard counts. */
  stored: SettledSale | undefined;
  /** The sale computed from the stored events. */
  rebuilt: SettledSale | undefined;
}

export interface PaymentCheck {
  /** Number of payments whose sale was rebuilt. */
  checked: number;
  differences: PaymentDifference[];
  /** Payments with a refund or dispute in a third currency, which no figure deducts. */
  unconverted: string[];
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

const pageLength = 500;

/** Payments that are compared at once, in a few milliseconds. */
const comparedLength = 50;

export function createPaymentStore(database: Database, sales: Sales) {
  return {
    /**
     * Stores an event and rebuilds the sale of its payment in one transaction: when it resolves, both are
     * on disk. Returns false for an event that was stored before.
     */
    receive: ({ event, payload, receivedAt }: Delivery): Promise<boolean> =>
      database.write(function* () {
        const { id, type, payment, createdAt } = event;
        const stored = yield* payloadToStore(sales, { payment, createdAt, payload });
        const inserted = yield* run(
          `INSERT INTO payment_event (id, type, payment, created_at, received_at, payload)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          [id, type, payment, createdAt, receivedAt, stored],
        );
        if (inserted === 0) return false;
        if (payment !== null) yield* sales.settle(payment, yield* rebuildSale(sales, payment));
        return true;
      }),

    /** Returns when the newest stored event was created, milliseconds since 1970, UTC. */
    async newest(): Promise<number | undefined> {
      const row = await database.read(() => get(newestEvent));
      return row?.at ?? undefined;
    },

    /** Returns the counted sale of a payment. */
    sale: (payment: string): Promise<SettledSale | undefined> =>
      database.read(() => sales.settled(payment)),

    /**
     * Lists payments, live or test, whose checkout was created at `since` (milliseconds since 1970, UTC) or
     * later, paid or not. A payment can be listed more than once.
     */
    async *checkoutsSince(since: number, { isLive }: { isLive: boolean }): AsyncIterable<string> {
      for (let last = { at: since, id: '' }; ; ) {
        // A checkout's events are never older than the checkout.
        const { at, id } = last;
        const page = await database.read(() => all(checkoutEvents, [at, id, pageLength]));
        for (const { payment, payload } of page) {
          if (payment !== null && isCreatedSince(payload, since, isLive)) yield payment;
        }
        const end = page.at(-1);
        if (!end) return;
        last = end;
      }
    },

    /** Returns the bodies of events that contain this email address, and of all others of their payments. */
    eventsOf: async (email: string): Promise<unknown[]> =>
      (await eventsOf(database, email)).map(({ payload }) => JSON.parse(payload)),

    /**
     * Removes the buyer from the events that `eventsOf` returns and from their sales. Later events of the
     * same payments are stored without the buyer; totals stay the same. Returns the number of events.
     */
    async erase(email: string): Promise<number> {
      const events = await eventsOf(database, email);
      await redactEvents(database, sales, events);
      return events.length;
    },

    /** Replaces sources with an email address in redacted events by `email`. */
    cleanSources: (): Promise<void> => cleanSources(database),

    /** Removes the buyers from all events before `before` (ms since 1970, UTC); returns their number. */
    eraseBuyersBefore: (before: number): Promise<number> => redactBefore(database, sales, before),

    /** Rebuilds every sale from the stored events and compares it with the counted one. */
    async compare(): Promise<PaymentCheck> {
      const check: PaymentCheck = { checked: 0, differences: [], unconverted: [] };
      for await (const page of comparedPages(database, sales)) {
        check.checked += page.checked;
        check.differences.push(...page.differences);
        check.unconverted.push(...page.unconverted);
      }
      return check;
    },

    /**
     * Counts each sale as its stored events say: an update of this program may read them better. Returns
     * the number of sales that changed.
     */
    async rebuild(stopped: AbortSignal): Promise<number> {
      for (const { id, payload } of await database.read(() => all(unassigned, [redactedStart]))) {
        const { payment } = eventOf(JSON.parse(payload));
        if (payment === null) continue;
        await database.write(() =>
          run('UPDATE payment_event SET payment = ? WHERE id = ?', [payment, id]),
        );
      }
      let changed = 0;
      for await (const { differences } of comparedPages(database, sales)) {
        for (const { payment } of differences) {
          if (stopped.aborted) return changed;
          await database.write(function* () {
            yield* sales.settle(payment, yield* rebuildSale(sales, payment));
          });
          changed += 1;
        }
        if (stopped.aborted) return changed;
      }
      return changed;
    },

    /** Returns the number of test payments with a counted sale. */
    async countTestSales(): Promise<number> {
      const counted = new Set<string>();
      for await (const { payment } of testEvents(database)) {
        if (payment !== null && (await database.read(() => sales.settled(payment)))) {
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
          if (payment !== null) yield* sales.settle(payment, yield* rebuildSale(sales, payment));
        });
        deleted += 1;
      }
      return deleted;
    },
  };
}

/** The payments page by page, with the differences between stored and rebuilt sales. */
async function* comparedPages(database: Database, sales: Sales): AsyncGenerator<PaymentCheck> {
  for (let after = ''; ; ) {
    const last = after;
    const page = await database.read(function* () {
      const found = [];
      for (const payment of yield* nextPayments(sales, last)) {
        const stored = yield* sales.settled(payment);
        const { sale, isUnconverted } = yield* readPayment(sales, payment);
        found.push({ payment, stored, rebuilt: sale, isUnconverted });
      }
      return found;
    });
    const end = page.at(-1);
    if (!end) return;
    yield {
      checked: page.length,
      differences: page
        .filter(({ stored, rebuilt }) => !isDeepStrictEqual(withCleanSources(stored), rebuilt))
        .map(({ isUnconverted: _, ...difference }) => difference),
      unconverted: page.flatMap(({ payment, isUnconverted }) => (isUnconverted ? payment : [])),
    };
    after = end.payment;
    // Yields to the event loop, since a server may run in this process.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The events of test payments, in the order of their ids. */
async function* testEvents(
  database: Database,
): AsyncGenerator<Pick<Row<'payment_event'>, 'id' | 'payment'>> {
  for (let after = ''; ; ) {
    const last = after;
    const page = await database.read(() => all(maybeTests, [last, pageLength]));
    for (const { id, payment, payload } of page) {
      if (!eventOf(JSON.parse(payload)).isLive) yield { id, payment };
    }
    const end = page.at(-1);
    if (!end) return;
    after = end.id;
  }
}

/** In the two ways that Stripe and `JSON.stringify` write it. */
const maybeTests = sql`SELECT ${columns('payment_event', 'id', 'payment', 'payload')}
  FROM payment_event
  WHERE id > ? AND (payload LIKE '%"livemode": false%' OR payload LIKE '%"livemode":false%')
  ORDER BY id LIMIT ?`;

/** Events of types that an earlier version did not read. Of a redacted one, it kept nothing to read. */
const unassigned = sql`SELECT ${columns('payment_event', 'id', 'payload')} FROM payment_event
  WHERE payment IS NULL AND substr(payload, 1, ${redactedStart.length}) <> ? AND type IN (${eventTypes.map((type) => `'${type}'`).join(', ')})`;

/** The sale after the nightly job: earlier versions stored sources with an email address. */
const withCleanSources = (sale: SettledSale | undefined) =>
  sale && {
    ...sale,
    source: sale.source && sourceText(sale.source),
    firstSource: sale.firstSource && sourceText(sale.firstSource),
  };

const newestEvent = sql`SELECT ${columns('payment_event', { at: max('created_at') })}
  FROM payment_event`;

/** Checkout events. Payloads are parsed in JavaScript, which accepts JSON that the databases reject. */
const checkoutEvents = sql`SELECT ${columns('payment_event', 'id', 'payment', 'payload', {
  at: 'created_at',
})} FROM payment_event
  WHERE (created_at, id) > (?, ?) AND payment IS NOT NULL AND type LIKE 'checkout.session.%'
  ORDER BY created_at, id LIMIT ?`;

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

const paymentsAfter = sql`SELECT DISTINCT ${columns('payment_event', 'payment')}
  FROM payment_event WHERE payment > ? ORDER BY payment LIMIT ?`;

/** Returns payments with events or a counted sale, sorted, so that one missing on either side is found. */
function* nextPayments(sales: Sales, after: string): Statements<string[]> {
  const received = yield* all(paymentsAfter, [after, comparedLength]);
  const counted = yield* sales.payments(after, comparedLength);
  return [...new Set([...received.flatMap(({ payment }) => payment ?? []), ...counted])]
    .sort(byCodeUnit)
    .slice(0, comparedLength);
}

/** Sorts text as the databases do. */
const byCodeUnit = (a: string, b: string) => (a < b ? -1 : 1);
