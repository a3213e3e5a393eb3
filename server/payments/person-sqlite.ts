/** The inbox and the people in it: what it holds of one, and how they leave it without their sales. */
import type { SettledSale } from '../analytics/store.ts';
import type { Sqlite, Tx } from '../database/sqlite.ts';
import { createSearch, redacted, redactedStart } from './redact.ts';
import type { Sales } from './store-sqlite.ts';

/** How many events are read, or written, before others have their turn. */
const pageLength = 200;

interface Row {
  id: string;
  payment: string | null;
  createdAt: number;
  payload: string;
}

const columns = 'id, payment, created_at AS createdAt, payload';

/** Makes the sale of a payment from what the inbox says of it now. */
type Rebuild = (tx: Tx, payment: string) => SettledSale | undefined;

/** Events that name this e-mail address, and all others of the payments they tell of, in their order. */
export async function eventsOf(database: Sqlite, email: string): Promise<Row[]> {
  const names = createSearch(email);
  const found = new Map<string, Row>();
  for (let after = ''; ; ) {
    const page = database.read((tx) =>
      tx.all<Row>(
        `SELECT ${columns} FROM payment_event WHERE id > ? ORDER BY id LIMIT ${pageLength}`,
        [after],
      ),
    );
    for (const row of page.filter(({ payload }) => names(payload))) found.set(row.id, row);
    const last = page.at(-1);
    if (!last) break;
    after = last.id;
    // A server beside it goes on.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const payments = new Set([...found.values()].flatMap(({ payment }) => payment ?? []));
  for (const payment of payments) {
    for (const row of database.read((tx) => eventsOfPayment(tx, payment))) found.set(row.id, row);
  }
  return [...found.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Takes the person out of these events and out of the sales that follow from them. */
export async function redactEvents(
  database: Sqlite,
  sales: Sales,
  rebuild: Rebuild,
  events: readonly Pick<Row, 'id' | 'payment'>[],
): Promise<void> {
  const payments = [...new Set(events.flatMap(({ payment }) => payment ?? []))];
  for (const part of parts(payments)) {
    await database.write((tx) => {
      for (const payment of part) {
        for (const row of eventsOfPayment(tx, payment)) redactRow(tx, sales, row);
        sales.settle(tx, payment, rebuild(tx, payment));
      }
    });
  }
  const others = events.filter(({ payment }) => payment === null).map(({ id }) => id);
  for (const part of parts(others)) {
    await database.write((tx) => {
      for (const id of part) {
        const row = tx.get<Row>(`SELECT ${columns} FROM payment_event WHERE id = ?`, [id]);
        if (row) redactRow(tx, sales, row);
      }
    });
  }
}

/** The same for all events that happened before `before` (ms, UTC); returns how many there were. */
export async function redactBefore(
  database: Sqlite,
  sales: Sales,
  rebuild: Rebuild,
  before: number,
): Promise<number> {
  for (let done = 0; ; ) {
    const page = database.read((tx) =>
      tx.all<Pick<Row, 'id' | 'payment'>>(
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

/** What is kept of a new event: of a payment whose buyer was erased, nothing of the person. */
export function keptPayload(
  tx: Pick<Tx, 'get'>,
  sales: Sales,
  { payment, createdAt, payload }: Omit<Row, 'id'>,
): string {
  const isErased =
    payment !== null &&
    tx.get(
      `SELECT 1 AS one FROM payment_event
       WHERE payment = ? AND substr(payload, 1, ${redactedStart.length}) = ? LIMIT 1`,
      [payment, redactedStart],
    ) !== undefined;
  return isErased ? withoutPerson(tx, sales, { createdAt, payload }) : payload;
}

const eventsOfPayment = (tx: Pick<Tx, 'all'>, payment: string) =>
  tx.all<Row>(`SELECT ${columns} FROM payment_event WHERE payment = ?`, [payment]);

function redactRow(tx: Tx, sales: Sales, { id, ...row }: Row): void {
  if (row.payload.startsWith(redactedStart)) return;
  tx.run('UPDATE payment_event SET payload = ? WHERE id = ?', [withoutPerson(tx, sales, row), id]);
}

const withoutPerson = (
  tx: Pick<Tx, 'get'>,
  sales: Sales,
  { createdAt, payload }: Pick<Row, 'createdAt' | 'payload'>,
) => redacted(payload, (reference) => sales.attribution(tx, reference, createdAt) !== undefined);

function* parts<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < list.length; i += pageLength) yield list.slice(i, i + pageLength);
}
