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
import { type Sql, sql } from './sql.ts';

/** One migration of the schema. Never edit it after a release: add the next one instead. */
export interface Migration {
  version: number;
  sql: string | Sql;
  /** Changes that need code, run after the SQL in the same transaction. */
  after?: () => Statements<void>;
  /**
   * The oldest schema version whose programs also work with this one, for rolling updates and
   * rollbacks. Undefined: only programs of this version work with it.
   */
  alsoFor?: number;
}

const migrations: Record<keyof Sql, Migration[]> = {
  sqlite: [
    foundation,
    payments,
    sources,
    retention,
    outbox,
    inbox,
    sessions,
    messages,
    signIns,
    emailRefusals,
  ],
  postgres: [postgresFoundation, messages, signIns, emailRefusals],
};

/** The schema version of this release. */
export const schemaVersion = migrations.sqlite.at(-1)?.version ?? 0;

/** Thrown when a newer release wrote the database and this one cannot use it. */
export class NewerDatabase extends Error {}

/** Thrown when the schema differs from this release and must not be migrated. */
export class OtherSchema extends Error {}

const schemaTable: Sql = {
  sqlite: 'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY) STRICT',
  // Only PostgreSQL needs `oldest`: programs of two releases never share an embedded database.
  postgres: `CREATE TABLE IF NOT EXISTS schema_version (
    version INTEGER PRIMARY KEY,
    -- The oldest version whose programs work with this one; null: only this version.
    oldest INTEGER)`,
};

const selectSchema = sql`SELECT max(version) AS version,
  max(${{ sqlite: 'version', postgres: 'coalesce(oldest, version)' }}) AS oldest FROM schema_version`;

const recordSchema = ({ version, alsoFor = version }: Migration): Sql => ({
  sqlite: `INSERT INTO schema_version (version) VALUES (${version})`,
  postgres: `INSERT INTO schema_version (version, oldest) VALUES (${version}, ${alsoFor})`,
});

/** Throws `OtherSchema` unless the schema is that of this release. */
export async function requireSchema(database: Database): Promise<void> {
  const found = await database.read(() => get<{ version: number | null }>(selectSchema));
  if (found?.version === schemaVersion) return;
  throw new OtherSchema(
    `The database belongs to another version of Shingle (its schema is ${found?.version ?? 0}, this ` +
      `version uses ${schemaVersion}). Please use the version that runs on it.`,
  );
}

/**
 * Returns the version of the schema, or 0 in a new database. Throws `NewerDatabase` when this release
 * cannot work with it.
 */
export function* knownSchema(): Statements<number> {
  const found = yield* get<Record<'version' | 'oldest', number | null>>(selectSchema);
  const current = found?.version ?? 0;
  if ((found?.oldest ?? 0) <= schemaVersion) return current;
  throw new NewerDatabase(
    `The database was written by a newer version of Shingle (its schema is ${current}, ` +
      `this version knows ${schemaVersion}). Please start the newer version, or restore a backup.`,
  );
}

/**
 * Migrates the schema to this release. The write lock serializes processes that start together, so only
 * the first one migrates.
 */
export async function migrate(database: Database): Promise<void> {
  await database.write(function* () {
    yield* script(schemaTable);
    const current = yield* knownSchema();
    for (const migration of migrations[database.engine]) {
      if (migration.version <= current) continue;
      yield* script(migration.sql);
      if (migration.after) yield* migration.after();
      yield* run(recordSchema(migration));
    }
  });
}
