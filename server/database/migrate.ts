import { AppError } from '../errors.ts';
import { columns, computed, max } from './columns.ts';
import { type Database, get, run, type Statements, script } from './database.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { payments } from './migrations/0002-payments.ts';
import { sources } from './migrations/0003-sources.ts';
import { retention } from './migrations/0004-retention.ts';
import { outbox } from './migrations/0005-outbox.ts';
import { inbox } from './migrations/0006-inbox.ts';
import { postgresFoundation } from './migrations/0007-postgres.ts';
import { sessions } from './migrations/0007-sessions.ts';
import { messages } from './migrations/0008-messages.ts';
import { signIns } from './migrations/0009-sign-ins.ts';
import { emailRefusals } from './migrations/0010-email-refusals.ts';
import { bookings } from './migrations/0011-bookings.ts';
import { busyCalendars } from './migrations/0012-busy-calendars.ts';
import { visitorChanges } from './migrations/0013-visitor-changes.ts';
import { sales } from './migrations/0014-sales.ts';
import { reportBuyers } from './migrations/0015-report-buyers.ts';
import { buttonCounters } from './migrations/0016-button-counters.ts';
import { apiKeys } from './migrations/0017-api-keys.ts';
import { campaigns } from './migrations/0018-campaigns.ts';
import { webhooks } from './migrations/0019-webhooks.ts';
import { externalCalls } from './migrations/0020-external-calls.ts';
import { firstBookings } from './migrations/0021-first-bookings.ts';
import { demoData } from './migrations/0022-demo-data.ts';
import type { Migration } from './migrations/migration.ts';
import { type Sql, sql } from './sql.ts';

/** Those since PostgreSQL was added. */
const onBoth = [
  messages,
  signIns,
  emailRefusals,
  bookings,
  busyCalendars,
  visitorChanges,
  sales,
  reportBuyers,
  buttonCounters,
  apiKeys,
  campaigns,
  webhooks,
  externalCalls,
  firstBookings,
  demoData,
];

/** In order, for each engine. */
export const migrations: Record<keyof Sql, readonly Migration[]> = {
  sqlite: [foundation, payments, sources, retention, outbox, inbox, sessions, ...onBoth],
  postgres: [postgresFoundation, ...onBoth],
};

/** The schema version of this release. */
export const schemaVersion = migrations.sqlite.at(-1)?.version ?? 0;

const schemaTable: Sql = {
  sqlite: 'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY) STRICT',
  // Only PostgreSQL needs `oldest`: programs of two releases never share an embedded database.
  postgres: `CREATE TABLE IF NOT EXISTS schema_version (
    version INTEGER PRIMARY KEY,
    -- The oldest version whose programs work with this one; null: only this version.
    oldest INTEGER)`,
};

const selectSchema = sql`SELECT ${columns('schema_version', {
  version: max('version'),
  oldest: computed<number | null>({
    sqlite: 'max(version)',
    postgres: 'max(coalesce(oldest, version))',
  }),
})} FROM schema_version`;

const recordSchema = ({ version, alsoFor = version }: Migration): Sql => ({
  sqlite: `INSERT INTO schema_version (version) VALUES (${version})`,
  postgres: `INSERT INTO schema_version (version, oldest) VALUES (${version}, ${alsoFor})`,
});

/** Throws `OTHER_SCHEMA` unless the schema is that of this release. */
export async function requireSchema(database: Database): Promise<void> {
  const found = await database.read(() => get(selectSchema));
  if (found?.version === schemaVersion) return;
  throw new AppError(
    'OTHER_SCHEMA',
    `The database belongs to another version of Shingle (its schema is ${found?.version ?? 0}, this ` +
      `version uses ${schemaVersion}). Please restart the site with this version, or use the version that runs on it.`,
  );
}

/**
 * Returns the version of the schema, or 0 in a new database. Throws `NEWER_DATABASE` when this release
 * cannot work with it.
 */
export function* knownSchema(): Statements<number> {
  const found = yield* get(selectSchema);
  const current = found?.version ?? 0;
  if ((found?.oldest ?? 0) <= schemaVersion) return current;
  throw new AppError(
    'NEWER_DATABASE',
    `The database was written by a newer version of Shingle (its schema is ${current}, ` +
      `this version knows ${schemaVersion}). Please start the newer version, or restore a backup.`,
  );
}

/**
 * Migrates the schema to this release; tests also to an older one. The write lock serializes processes that
 * start together, so only the first one migrates.
 */
export async function migrate(database: Database, target = schemaVersion): Promise<void> {
  await database.write(function* () {
    yield* script(schemaTable);
    const current = yield* knownSchema();
    for (const migration of migrations[database.engine]) {
      if (migration.version <= current || migration.version > target) continue;
      yield* script(migration.sql);
      if (migration.after) yield* migration.after();
      yield* run(recordSchema(migration));
    }
  });
}

/** Migrates a new database. Throws `OTHER_SCHEMA` unless any other one has the schema of this release. */
export async function migrateNew(database: Database): Promise<void> {
  await database.write(() => script(schemaTable));
  const isNew = (await database.read(knownSchema)) === 0;
  await (isNew ? migrate(database) : requireSchema(database));
}
