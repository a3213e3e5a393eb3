/** The tables that a transfer copies, with their columns and keys. */
import { type Column, type Row, schema, type Table } from '../../database/schema.ts';

/** How a table is copied. */
interface Copied<Name> {
  key: Name[];
  /** Whether PostgreSQL generates the ids of new rows. */
  isNumbered?: boolean;
  /** Rows of a page, so that writing one stays far below the statement timeout; by default 10,000. */
  pageSize?: number;
}

export interface CopiedTable extends Copied<string> {
  name: string;
  columns: Record<string, Column>;
}

/**
 * Tables that are not copied: those of the database itself, those that hold state shared between running
 * instances, and the login link, which expires within minutes.
 */
type OwnTable =
  | 'schema_version'
  | 'writer'
  | 'rate_limit'
  | 'rate_limit_attempt'
  | 'nightly_job'
  | 'sign_in_link';

/** Rows may be long, because they hold messages, emails, documents or Stripe's events. */
const wide = 50;

/** The tables in the order in which they are copied. */
const copied: { [T in Exclude<Table, OwnTable>]: Copied<keyof Row<T>> } = {
  contact_message: { key: ['id'], pageSize: wide },
  outbox: { key: ['id'], pageSize: wide },
  booking: { key: ['id'], pageSize: wide },
  external_call: { key: ['id'] },
  busy_calendar: { key: ['id'] },
  busy_span: { key: ['calendar', 'starts_at', 'ends_at'] },
  payment_event: { key: ['id'], pageSize: wide },
  conversion: { key: ['id'] },
  sale_report: { key: ['id', 'reported_at'] },
  sale_entry: { key: ['sale', 'n'] },
  stripe_fee: { key: ['id'] },
  sale_doubt: { key: ['first', 'second'] },
  counted_currency: { key: ['id'] },
  payment_link: { key: ['id'] },
  site_version: { key: ['id'], pageSize: wide },
  site_draft: { key: ['id'], pageSize: wide },
  site_live: { key: ['id'] },
  // Up to 2 MB each.
  site_photo: { key: ['hash', 'photo'], pageSize: 4 },
  connection: { key: ['name'] },
  demo_data: { key: ['id'] },
  source: { key: ['id'], isNumbered: true },
  event: { key: ['kind', 'at', 'serial'] },
  counter: { key: ['source', 'button', 'kind', 'hour', 'slot'] },
  excluded_count: { key: ['hour', 'reason'] },
  event_horizon: { key: ['id'] },
  seen_visitor: { key: ['day', 'kind', 'visitor'] },
  visitor_salt: { key: ['day'] },
  secret: { key: ['name'] },
  admin_credential: { key: ['id'] },
  admin_session: { key: ['id_hash'] },
  api_key: { key: ['id'] },
  owner_log: { key: ['at', 'id'] },
  sign_in_attempt: { key: ['hour', 'address', 'browser', 'method', 'result'] },
};

export const tables: readonly CopiedTable[] = Object.entries(copied).map(([name, table]) => ({
  name,
  columns: schema[name as Table],
  ...table,
}));
