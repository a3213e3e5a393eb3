/**
 * The tables after the last migration, the same on both engines unless `onPostgresOnly` says otherwise.
 * Migrations say what the columns mean; `schema.test.ts` compares this file with real databases.
 */

import { fieldsWith } from '../contract/contact-fields.ts';

/** A column. Only TypeScript knows `value`, the type of its values in rows. */
export interface Column<Value = unknown> {
  type: 'integer' | 'text' | 'blob';
  isNullable: boolean;
  value?: Value;
}

export const integer: Column<number> = { type: 'integer', isNullable: false };
export const text: Column<string> = { type: 'text', isNullable: false };
const blob: Column<Uint8Array> = { type: 'blob', isNullable: false };

const nullable = <Value>({ type }: Column<Value>): Column<Value | null> => ({
  type,
  isNullable: true,
});

/** A text column that holds one of these words. Stores write no others. */
const oneOf = <Word extends string>(): Column<Word> => ({ type: 'text', isNullable: false });

const sale = {
  id: text,
  at: integer,
  amount: integer,
  refunded: integer,
  disputed: integer,
  currency: text,
  email: nullable(text),
  source: nullable(text),
  first_source: nullable(text),
  button: nullable(text),
};

export const schema = {
  contact_message: {
    id: text,
    received_at: integer,
    ...fieldsWith(text, nullable(text)),
    idempotency_key: nullable(text),
    folder: oneOf<'inbox' | 'archive' | 'spam'>(),
    is_read: integer,
    suspicions: nullable(text),
    email_id: nullable(text),
    moved_at: nullable(integer),
  },
  outbox: {
    id: text,
    channel: oneOf<'email' | 'webhook'>(),
    queued_at: integer,
    content: nullable(text),
    state: oneOf<'waiting' | 'sent' | 'refused' | 'erased'>(),
    attempts: integer,
    due_at: integer,
    settled_at: nullable(integer),
    error: nullable(text),
    deferrals: integer,
    refusals: integer,
  },
  booking: {
    id: text,
    call: nullable(text),
    starts_at: integer,
    ends_at: integer,
    gap: integer,
    state: oneOf<'booked' | 'cancelled' | 'blocked'>(),
    sequence: integer,
    created_at: integer,
    changed_at: integer,
    idempotency_key: nullable(text),
    name: nullable(text),
    email: nullable(text),
    time_zone: nullable(text),
    note: nullable(text),
    answers: nullable(text),
    owner_note: nullable(text),
    source: nullable(text),
    button: nullable(text),
    visitor_changes: integer,
  },
  external_call: {
    id: text,
    state: oneOf<'requested' | 'booked' | 'cancelled' | 'moved'>(),
    booked_at: nullable(integer),
    starts_at: integer,
    source: nullable(text),
    button: nullable(text),
    moved_from: nullable(text),
    reported_at: integer,
  },
  busy_calendar: {
    id: text,
    tried_at: integer,
    read_at: nullable(integer),
    etag: nullable(text),
    last_modified: nullable(text),
    error: nullable(text),
    failing_since: nullable(integer),
  },
  busy_span: { calendar: text, starts_at: integer, ends_at: integer },
  payment_event: {
    id: text,
    type: text,
    payment: nullable(text),
    created_at: integer,
    received_at: integer,
    payload: text,
  },
  conversion: {
    ...sale,
    source_id: integer,
    origin: oneOf<'report' | 'payment' | 'other'>(),
  },
  sale_report: { ...sale, reported_at: integer },
  sale_entry: {
    sale: text,
    n: integer,
    at: integer,
    kind: oneOf<'refund' | 'dispute' | 'tax'>(),
    amount: integer,
    currency: text,
  },
  stripe_fee: { id: text, payment: text, at: integer, amount: integer, currency: text },
  sale_doubt: {
    first: text,
    second: text,
    verdict: nullable(text),
    dropped: nullable(text),
  },
  counted_currency: { id: integer, currency: text },
  payment_link: { id: text },
  site_version: {
    id: integer,
    made_at: integer,
    format: integer,
    document: text,
    state: oneOf<'published' | 'discarded' | 'file'>(),
    note: nullable(text),
    paths: text,
  },
  site_draft: {
    id: integer,
    revision: integer,
    document: nullable(text),
    based_on: nullable(integer),
    changed_at: integer,
  },
  site_live: { id: integer, version: nullable(integer), counter: integer, changed_at: integer },
  site_photo: {
    hash: text,
    photo: text,
    type: oneOf<'jpg' | 'png' | 'webp'>(),
    width: integer,
    height: integer,
    added_at: integer,
    bytes: blob,
  },
  connection: {
    name: text,
    revision: integer,
    value: nullable(blob),
    changed_at: integer,
  },
  demo_data: { id: integer },
  source: { id: integer, name: nullable(text), first_day: integer, parent: nullable(integer) },
  event: { kind: integer, at: integer, serial: integer, button: nullable(text), source: integer },
  counter: {
    source: integer,
    button: text,
    kind: integer,
    hour: integer,
    slot: integer,
    n: integer,
  },
  excluded_count: {
    hour: integer,
    reason: oneOf<
      'bot' | 'automated' | 'prefetch' | 'foreign' | 'rate' | 'privacy' | 'owner' | 'outage'
    >(),
    n: integer,
  },
  event_horizon: { id: integer, at: integer },
  seen_visitor: { day: integer, kind: integer, visitor: blob, source: integer },
  visitor_salt: { day: integer, salt: blob },
  secret: { name: text, value: blob },
  admin_credential: {
    id: integer,
    password_hash: text,
    changed_at: integer,
    signed_out_at: integer,
    setup_code_hash: nullable(text),
    setup_code_at: nullable(integer),
  },
  admin_session: {
    id_hash: text,
    created_at: integer,
    seen_at: integer,
    browser: text,
    confirmed_at: nullable(integer),
  },
  api_key: {
    id: text,
    name: text,
    hash: text,
    scopes: text,
    created_at: integer,
    used_at: nullable(integer),
  },
  sign_in_link: { id: integer, token_hash: text, expires_at: integer },
  owner_log: {
    at: integer,
    id: text,
    act: oneOf<
      | 'password_confirmed'
      | 'password_changed'
      | 'set_up'
      | 'key_created'
      | 'key_revoked'
      | 'site_published'
      | 'backup_downloaded'
      | 'file_downloaded'
      | 'connection_set'
      | 'connection_cleared'
      | 'person_exported'
      | 'person_erased'
    >(),
    browser: nullable(text),
    detail: nullable(text),
  },
  sign_in_attempt: {
    hour: integer,
    address: text,
    browser: text,
    method: oneOf<'password' | 'link' | 'code'>(),
    result: oneOf<'accepted' | 'wrong' | 'throttled'>(),
    n: integer,
    last_at: integer,
  },
  schema_version: { version: integer, oldest: nullable(integer) },
  // State that a single instance keeps in memory or in its data folder.
  writer: { id: integer },
  rate_limit: { key: text, used: integer, ends_at: integer },
  rate_limit_attempt: { key: text, at: integer, serial: integer },
  nightly_job: {
    id: integer,
    worker: nullable(text),
    leased_until: nullable(integer),
    last_run: nullable(text),
  },
};

/** Tables and columns that SQLite does not have. */
export const onPostgresOnly = [
  'writer',
  'rate_limit',
  'rate_limit_attempt',
  'nightly_job',
  'schema_version.oldest',
];

export type Table = keyof typeof schema;

/** A row of a table. */
export type Row<T extends Table> = {
  [Name in keyof (typeof schema)[T]]: (typeof schema)[T][Name] extends Column<infer Value>
    ? Value
    : never;
};
