/** The inbox and the people in it: what it holds of one, and how they leave it without their sales. */
import type { SettledSale } from '../analytics/store.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { jsonRows, sql } from '../database/sql.ts';
import { createSearch, redacted, redactedStart, withCleanSource } from './redact.ts';
import type { Sales } from './store-sql.ts';

/** How many events are read, or written, before others have their turn. */
const pageLength = 200;

interface Row {
  id: string;
  payment: string | null;
  createdAt: number;
  payload: string;
}

const columns = 'id, payment, created_at AS "createdAt", payload';

/** Makes the sale of a payment from what the inbox says of it now. */
type Rebuild = (payment: string) => Statements<SettledSale | undefined>;

/** Events that name this e-mail address, and all others of the payments they tell of, in their order. */
export async function eventsOf(database: Database, email: string): Promise<Row[]> {
  const names = createSearch(email);
  const found = new Map<string, Row>();
  for (let after = ''; ; ) {
    const last = after;
    const page = await database.read(() =>
      all<Row>(
        `SELECT ${columns} FROM payment_event WHERE id > ? ORDER BY id LIMIT ${pageLength}`,
        [last],
      ),
    );
    for (const row of page.filter(({ payload }) => names(payload))) found.set(row.id, row);
    const end = page.at(-1);
    if (!end) break;
    after = end.id;
    // A server beside it goes on.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const payments = new Set([...found.values()].flatMap(({ payment }) => payment ?? []));
  for (const payment of payments) {
    for (const row of await database.read(() => eventsOfPayment(payment))) found.set(row.id, row);
  }
  return [...found.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Takes the person out of these events and out of the sales that follow from them. */
export async function redactEvents(
  database: Database,
  sales: Sales,
  rebuild: Rebuild,
  events: readonly Pick<Row, 'id' | 'payment'>[],
): Promise<void> {
  const payments = [...new Set(events.flatMap(({ payment }) => payment ?? []))];
  for (const part of parts(payments)) {
    await database.write(function* () {
      for (const payment of part) {
        for (const row of yield* eventsOfPayment(payment)) yield* redactRow(sales, row);
        yield* sales.settle(payment, yield* rebuild(payment));
      }
    });
  }
  const others = events.filter(({ payment }) => payment === null).map(({ id }) => id);
  for (const part of parts(others)) {
    await database.write(function* () {
      for (const id of part) {
        const row = yield* get<Row>(`SELECT ${columns} FROM payment_event WHERE id = ?`, [id]);
        if (row) yield* redactRow(sales, row);
      }
    });
  }
}

/** The same for all events that happened before `before` (ms, UTC); returns how many there were. */
export async function redactBefore(
  database: Database,
  sales: Sales,
  rebuild: Rebuild,
  before: number,
): Promise<number> {
  for (let done = 0; ; ) {
    const page = await database.read(() =>
      all<Pick<Row, 'id' | 'payment'>>(
        `SELECT id, payment FROM payment_event
         WHERE created_at < ? AND substr(payload, 1, ${redactedStart.length}) <> ?
         ORDER BY created_at LIMIT ${pageLength}`,
        [before, redactedStart],
      ),
    );
    if (page.length === 0) return done;
    await redactEvents(database, sales, rebuild, page);
    done += page.length;
  }
}

/** Removes email addresses and phone numbers from the sources in redacted events, a page at a time. */
export async function cleanSources(database: Database): Promise<void> {
  for (let after = ''; ; ) {
    const last = after;
    const page = await database.read(() =>
      all<Pick<Row, 'id' | 'payload'>>(
        `SELECT id, payload FROM payment_event
         WHERE id > ? AND substr(payload, 1, ${redactedStart.length}) = ?
           AND payload LIKE '%"utm_source"%' ORDER BY id LIMIT ${pageLength}`,
        [last, redactedStart],
      ),
    );
    const cleaned = page
      .map(({ id, payload }) => ({ id, payload, clean: withCleanSource(payload) }))
      .filter(({ payload, clean }) => clean !== payload);
    if (cleaned.length > 0) {
      const rows = cleaned.map(({ id, clean }) => [id, clean]);
      await database.write(() => run(replacement, [JSON.stringify(rows)]));
    }
    const end = page.at(-1);
    if (!end) return;
    after = end.id;
  }
}

const replacement = sql`UPDATE payment_event SET payload = cleaned.payload
  FROM ${jsonRows({ id: 'text', payload: 'text' })} AS cleaned WHERE payment_event.id = cleaned.id`;

/** What is kept of a new event: of a payment whose buyer was erased, nothing of the person. */
export function* keptPayload(
  sales: Sales,
  { payment, createdAt, payload }: Omit<Row, 'id'>,
): Statements<string> {
  const isErased =
    payment !== null &&
    (yield* get(
      `SELECT 1 AS one FROM payment_event
       WHERE payment = ? AND substr(payload, 1, ${redactedStart.length}) = ? LIMIT 1`,
      [payment, redactedStart],
    )) !== undefined;
  return isErased ? yield* withoutPerson(sales, { createdAt, payload }) : payload;
}

const eventsOfPayment = (payment: string): Statements<Row[]> =>
  all<Row>(`SELECT ${columns} FROM payment_event WHERE payment = ?`, [payment]);

function* redactRow(sales: Sales, { id, ...row }: Row): Statements<void> {
  // Also one that was redacted before: earlier versions left an email address in its source.
  const payload = yield* withoutPerson(sales, row);
  if (payload === row.payload) return;
  yield* run('UPDATE payment_event SET payload = ? WHERE id = ?', [payload, id]);
}

function* withoutPerson(
  sales: Sales,
  { createdAt, payload }: Pick<Row, 'createdAt' | 'payload'>,
): Statements<string> {
  const attributionOf = yield* sales.attributions();
  return redacted(payload, (reference) => attributionOf(reference, createdAt) !== undefined);
}

function* parts<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < list.length; i += pageLength) yield list.slice(i, i + pageLength);
}
