/** Finds a buyer's stored events and removes the buyer from them; their sales stay. */
import { columns } from '../../database/columns.ts';
import {
  all,
  type Database,
  exists,
  get,
  readInBatches,
  run,
  type Statements,
} from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { attributions } from '../attribution.ts';
import { type SaleSettings, settle } from '../settle.ts';
import { createSearch, redacted, redactedStart } from './redact.ts';

/** Maximum rows per transaction, so that visitors' writes can run in between. */
const pageLength = 200;

const eventColumns = columns('payment_event', 'id', 'payment', 'payload', {
  createdAt: 'created_at',
});
type Row = (typeof eventColumns)['selects'];

const nextEvents = sql`SELECT ${eventColumns} FROM payment_event
  WHERE id > ? ORDER BY id LIMIT ${pageLength}`;
const eventOfId = sql`SELECT ${eventColumns} FROM payment_event WHERE id = ?`;
const eventsOfOne = sql`SELECT ${eventColumns} FROM payment_event WHERE payment = ?`;
const eventsBefore = sql`SELECT ${columns('payment_event', 'id', 'payment')} FROM payment_event
  WHERE created_at < ? AND substr(payload, 1, ${redactedStart.length}) <> ?
  ORDER BY created_at LIMIT ${pageLength}`;
/** Returns events that contain this email address, and all others of the same payments, oldest first. */
export async function eventsOf(database: Database, email: string): Promise<Row[]> {
  const hasEmail = createSearch(email);
  const found = new Map<string, Row>();
  const next = (last: Row | undefined) => all(nextEvents, [last?.id ?? '']);
  for await (const row of readInBatches(database, next, pageLength)) {
    if (hasEmail(row.payload)) found.set(row.id, row);
  }
  const payments = new Set([...found.values()].flatMap(({ payment }) => payment ?? []));
  for (const payment of payments) {
    for (const row of await database.read(() => eventsOfPayment(payment))) found.set(row.id, row);
  }
  return [...found.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Removes the buyer from these events, from all others of their payments, and from the sales. */
export async function redactEvents(
  database: Database,
  settings: SaleSettings,
  events: readonly Pick<Row, 'id' | 'payment'>[],
): Promise<void> {
  const payments = [...new Set(events.flatMap(({ payment }) => payment ?? []))];
  for (const page of pagesOf(payments)) {
    await database.write(function* () {
      for (const payment of page) {
        for (const row of yield* eventsOfPayment(payment)) yield* redactRow(row);
        yield* settle(settings, payment);
      }
    });
  }
  const others = events.filter(({ payment }) => payment === null).map(({ id }) => id);
  for (const page of pagesOf(others)) {
    await database.write(function* () {
      for (const id of page) {
        const row = yield* get(eventOfId, [id]);
        if (row) yield* redactRow(row);
      }
    });
  }
}

/** Removes the buyers from all events before `before` (ms since 1970, UTC); returns the number of events. */
export async function redactBefore(
  database: Database,
  settings: SaleSettings,
  before: number,
): Promise<number> {
  for (let redactedCount = 0; ; ) {
    const page = await database.read(() => all(eventsBefore, [before, redactedStart]));
    if (page.length === 0) return redactedCount;
    await redactEvents(database, settings, page);
    redactedCount += page.length;
  }
}

/** Returns the payload to store for a new event: redacted when its payment's buyer was erased. */
export function* payloadToStore({
  payment,
  createdAt,
  payload,
}: Omit<Row, 'id'>): Statements<string> {
  const isErased =
    payment !== null &&
    (yield* exists(
      `SELECT 1 AS one FROM payment_event
       WHERE payment = ? AND substr(payload, 1, ${redactedStart.length}) = ? LIMIT 1`,
      [payment, redactedStart],
    ));
  return isErased ? yield* redactedPayload({ createdAt, payload }) : payload;
}

const eventsOfPayment = (payment: string): Statements<Row[]> => all(eventsOfOne, [payment]);

function* redactRow({ id, ...row }: Row): Statements<void> {
  const payload = yield* redactedPayload(row);
  if (payload === row.payload) return;
  yield* run('UPDATE payment_event SET payload = ? WHERE id = ?', [payload, id]);
}

function* redactedPayload({
  createdAt,
  payload,
}: Pick<Row, 'createdAt' | 'payload'>): Statements<string> {
  const attributionOf = yield* attributions();
  return redacted(payload, (reference) => attributionOf(reference, createdAt) !== undefined);
}

function* pagesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < list.length; i += pageLength) yield list.slice(i, i + pageLength);
}
