/** Stores and reads messages, as the statements of a transaction. */
import { eachField, fieldNames } from '../contract/contact-fields.ts';
import { columns, computed, count } from '../database/columns.ts';
import { all, get, run, type Statements } from '../database/database.ts';
import { type Row, schema } from '../database/schema.ts';
import { type Query, type Sql, sql } from '../database/sql.ts';
import type { Value } from '../database/value.ts';
import { deliveriesOf, queueEmail } from '../email/store.ts';
import { hourMs } from '../time/units.ts';
import { queueEvent } from '../webhooks/store.ts';
import type {
  ContactMessage,
  ListedMessage,
  SpamSign,
  StoredMessage,
  StoreOptions,
} from './message.ts';

/** Value of the column `email_id` while a message waits for its summary. */
export const awaitsSummary = 'summary';

/** How long a message waits for its summary, in ms. */
export const summaryWait = hourMs;

/** Characters of a field that are read where an email shows only its start. */
const excerptLength = 500;

const columnNames = Object.keys(schema.contact_message) as (keyof Row<'contact_message'>)[];

const insertMessage = `INSERT INTO contact_message (${columnNames.join(', ')})
  VALUES (${columnNames.map(() => '?').join(', ')})
  ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING`;

/** Stores a message with its email and event; false, without a change, when its idempotency key was stored before. */
export function* addMessage(
  { id, receivedAt, ...fields }: ContactMessage,
  {
    email,
    event,
    isForSummary = false,
    idempotencyKey,
    folder = 'inbox',
    suspicions = [],
  }: StoreOptions = {},
): Statements<boolean> {
  const row: Row<'contact_message'> = {
    ...fields,
    id,
    received_at: receivedAt,
    idempotency_key: idempotencyKey ?? null,
    folder,
    is_read: 0,
    suspicions: suspicions.join(' ') || null,
    email_id: isForSummary ? awaitsSummary : (email?.id ?? null),
    moved_at: null,
  };
  const inserted = yield* run(
    insertMessage,
    columnNames.map((name) => row[name]),
  );
  if (inserted === 0) return false;
  if (email) yield* queueEmail(email, receivedAt);
  if (event) yield* queueEvent(event, receivedAt);
  return true;
}

/** A message as stored, with the id of its email instead of its delivery. */
export type FoundMessage = ListedMessage & { emailId: string | null };

const columnsWith = (message: string, start = (field: string) => field) =>
  columns('contact_message', 'id', 'folder', 'suspicions', {
    ...eachField(
      (name) => computed<string>(name === 'message' ? message : start(name)),
      (name) => computed<string | null>(start(name)),
    ),
    receivedAt: 'received_at',
    isRead: 'is_read',
    emailId: 'email_id',
  });
const messageColumns = columnsWith('message');

const excerptOf = (field: string) => `substr(${field}, 1, ${excerptLength})`;

/** The starts of all fields, with the full text of messages without a sign of spam. */
export const summaryColumns = columnsWith(
  `CASE WHEN suspicions IS NULL THEN message ELSE ${excerptOf('message')} END`,
  excerptOf,
);

/** Selects messages. `rest` is the end of the statement from its conditions on. */
export function* messages(
  rest: string | Sql,
  values: readonly (string | number)[],
  selected = messageColumns,
): Statements<FoundMessage[]> {
  const rows = yield* all(sql`SELECT ${selected} FROM contact_message ${rest}`, values);
  return rows.map(({ isRead, suspicions, ...message }) => ({
    ...message,
    isRead: isRead === 1,
    suspicions: (suspicions?.split(' ') ?? []) as SpamSign[],
  }));
}

/** Selects messages with the delivery of their emails. */
export function* delivered(...query: Parameters<typeof messages>): Statements<StoredMessage[]> {
  return yield* withDeliveries(yield* messages(...query));
}

function* withDeliveries(found: FoundMessage[]): Statements<StoredMessage[]> {
  const deliveries = yield* deliveriesOf(found.flatMap(({ emailId }) => emailId ?? []));
  return found.map(({ emailId, ...message }) => ({
    ...message,
    delivery:
      emailId === awaitsSummary
        ? { state: 'waiting', dueAt: message.receivedAt + summaryWait, attempts: 0, error: null }
        : deliveries.get(emailId ?? ''),
  }));
}

/** Expression: the bytes of the fields of a message. */
export const fieldBytes = fieldNames
  .map((name) => `coalesce(octet_length(${name}), 0)`)
  .join(' + ');

/** The column of a count, for `numberOf`. */
export const number = columns('contact_message', { n: count });

/** Returns the number in column `n` of the query's only row. */
export function* numberOf(
  query: Query<{ n: number }>,
  values: readonly Value[] = [],
): Statements<number> {
  return (yield* get(query, values))?.n ?? 0;
}
