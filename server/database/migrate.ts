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

/** One step of the schema. Never edited after a release; the next change is the next step. */
export interface Migration {
  version: number;
  sql: string | Sql;
  /** What SQL alone cannot do, in the same transaction. */
  after?: () => Statements<void>;
  /**
   * The oldest schema whose programs work on this one as well, so that old and new instances may run side
   * by side, and an old one may start again. Without it none does.
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

/** The schema that this version of the product works with. */
export const schemaVersion = migrations.sqlite.at(-1)?.version ?? 0;

/** Thrown when the database was written by a newer version of this product. */
export class NewerDatabase extends Error {}

/** Thrown when it was written by another version, and is to be left as it is. */
export class OtherSchema extends Error {}

const schemaTable: Sql = {
  sqlite: 'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY) STRICT',
  // An embedded database has one program at a time: what newer ones write, it need not read.
  postgres: `CREATE TABLE IF NOT EXISTS schema_version (
    version INTEGER PRIMARY KEY,
    -- The oldest that works with it; null: none but itself.
    oldest INTEGER)`,
};

const schemaFound = sql`SELECT max(version) AS version,
  max(${{ sqlite: 'version', postgres: 'coalesce(oldest, version)' }}) AS oldest FROM schema_version`;

const schemaReached = ({ version, alsoFor = version }: Migration): Sql => ({
  sqlite: `INSERT INTO schema_version (version) VALUES (${version})`,
  postgres: `INSERT INTO schema_version (version, oldest) VALUES (${version}, ${alsoFor})`,
});

/** Throws `OtherSchema` unless the schema is the one of this version. */
export async function requireSchema(database: Database): Promise<void> {
  const found = await database.read(() => get<{ version: number | null }>(schemaFound));
  if (found?.version === schemaVersion) return;
  throw new OtherSchema(
    `The database is that of another version of Shingle (its schema is ${found?.version ?? 0}, this ` +
      `version makes ${schemaVersion}). Please use the version that runs on it.`,
  );
}

/**
 * The version of the schema, 0 where there is none yet. Throws `NewerDatabase` when a newer version of the
 * product has made it one that this version does not work with.
 */
export function* knownSchema(): Statements<number> {
  const found = yield* get<Record<'version' | 'oldest', number | null>>(schemaFound);
  const current = found?.version ?? 0;
  if ((found?.oldest ?? 0) <= schemaVersion) return current;
  throw new NewerDatabase(
    `The database was written by a newer version of Shingle (its schema is ${current}, ` +
      `this version knows ${schemaVersion}). Please start the newer version, or restore a backup.`,
  );
}

/**
 * Brings the schema up to date. The transaction's write lock lets one process at a time do it; the
 * next one finds nothing left to do.
 */
export async function migrate(database: Database): Promise<void> {
  await database.write(function* () {
    yield* script(schemaTable);
    const current = yield* knownSchema();
    for (const migration of migrations[database.engine]) {
      if (migration.version <= current) continue;
      yield* script(migration.sql);
      if (migration.after) yield* migration.after();
      yield* run(schemaReached(migration));
    }
  });
}
