/** The tables that a transfer copies, with their columns and keys. */
import type { ColumnType } from '../../database/sql.ts';

export interface Table {
  name: string;
  /** Columns that both engines have. */
  columns: Record<string, ColumnType>;
  key: string[];
  /** Columns to sum: on PostgreSQL, rows that differ in `slot` only are one row of the copy. */
  sums?: string[];
  /** Whether PostgreSQL generates the ids of new rows. */
  isNumbered?: boolean;
  /** Whether rows may be long, because they hold messages, emails or Stripe's events. */
  isWide?: boolean;
}

/** The tables in the order in which they are copied. */
export const tables: readonly Table[] = [
  {
    name: 'contact_message',
    columns: {
      id: 'text',
      received_at: 'integer',
      name: 'text',
      email: 'text',
      company: 'text',
      message: 'text',
      draft: 'text',
      folder: 'text',
      is_read: 'integer',
      suspicions: 'text',
      letter: 'text',
      moved_at: 'integer',
    },
    key: ['id'],
    isWide: true,
  },
  {
    name: 'outbox',
    columns: {
      id: 'text',
      queued_at: 'integer',
      letter: 'text',
      state: 'text',
      attempts: 'integer',
      due_at: 'integer',
      settled_at: 'integer',
      error: 'text',
      deferrals: 'integer',
      refusals: 'integer',
    },
    key: ['id'],
    isWide: true,
  },
  {
    name: 'payment_event',
    columns: {
      id: 'text',
      type: 'text',
      payment: 'text',
      created_at: 'integer',
      received_at: 'integer',
      payload: 'text',
    },
    key: ['id'],
    isWide: true,
  },
  {
    name: 'conversion',
    columns: {
      id: 'text',
      at: 'integer',
      amount: 'integer',
      refunded: 'integer',
      disputed: 'integer',
      currency: 'text',
      email: 'text',
      source: 'text',
      source_id: 'integer',
      first_source: 'text',
      control: 'text',
      via: 'text',
    },
    key: ['id'],
  },
  {
    name: 'source',
    columns: { id: 'integer', name: 'text', first_day: 'integer' },
    key: ['id'],
    isNumbered: true,
  },
  {
    name: 'mark',
    columns: {
      kind: 'integer',
      at: 'integer',
      serial: 'integer',
      control: 'text',
      source: 'integer',
    },
    key: ['kind', 'at', 'serial'],
  },
  {
    name: 'counter',
    columns: {
      source: 'integer',
      width: 'integer',
      bucket: 'integer',
      kind: 'integer',
      n: 'integer',
      cents: 'integer',
    },
    key: ['source', 'width', 'bucket', 'kind'],
    sums: ['n', 'cents'],
  },
  {
    name: 'uncounted',
    columns: { hour: 'integer', reason: 'text', n: 'integer' },
    key: ['hour', 'reason'],
  },
  { name: 'mark_horizon', columns: { id: 'integer', at: 'integer' }, key: ['id'] },
  {
    name: 'seen_visitor',
    columns: { day: 'integer', kind: 'integer', visitor: 'hex', source: 'integer' },
    key: ['day', 'kind', 'visitor'],
  },
  { name: 'visitor_salt', columns: { day: 'integer', salt: 'hex' }, key: ['day'] },
  { name: 'secret', columns: { name: 'text', value: 'hex' }, key: ['name'] },
  {
    name: 'admin_credential',
    columns: {
      id: 'integer',
      password_hash: 'text',
      changed_at: 'integer',
      signed_out_at: 'integer',
    },
    key: ['id'],
  },
  {
    name: 'admin_session',
    columns: { id_hash: 'text', created_at: 'integer', seen_at: 'integer', browser: 'text' },
    key: ['id_hash'],
  },
  {
    name: 'sign_in_attempt',
    columns: {
      hour: 'integer',
      address: 'text',
      browser: 'text',
      method: 'text',
      result: 'text',
      n: 'integer',
      last_at: 'integer',
    },
    key: ['hour', 'address', 'browser', 'method', 'result'],
  },
];

/**
 * Tables that are not copied: those of the database itself, those that hold state shared between running
 * instances, and the login link, which expires within minutes.
 */
export const ownTables = [
  'schema_version',
  'writer',
  'allowance',
  'attempt',
  'night',
  'sign_in_link',
];
