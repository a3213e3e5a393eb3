import { AppError } from '../errors.ts';
import { columns, computed, max } from './columns.ts';
import { type Database, get, run, type Statements, script } from './database.ts';
import { baseline } from './migrations/0023-baseline.ts';
import { site } from './migrations/0024-site.ts';
import { confirmedSession } from './migrations/0025-confirmed-session.ts';
import { ownerLog } from './migrations/0026-owner-log.ts';
import { sitePhoto } from './migrations/0027-site-photo.ts';
import { connection } from './migrations/0028-connection.ts';
import { setupCode } from './migrations/0029-setup-code.ts';
import type { Migration } from './migrations/migration.ts';
import { type Sql, sql } from './sql.ts';

/** In order, for both engines. Add a new one at the end. */
export const migrations: readonly [Migration, ...Migration[]] = [
  baseline,
  site,
  confirmedSession,
  ownerLog,
  sitePhoto,
  connection,
  setupCode,
];

const newestOf = (known: readonly Migration[]) => known.at(-1)?.version ?? 0;

/** The schema version of this release. */
export const schemaVersion = newestOf(migrations);

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

const recordSchema = ({ version, alsoFor }: Migration): Sql => ({
  sqlite: `INSERT INTO schema_version (version) VALUES (${version})`,
  postgres: `INSERT INTO schema_version (version, oldest) VALUES (${version}, ${alsoFor})`,
});

/**
 * Throws `OTHER_SCHEMA` unless the schema is that of this release, and what `knownSchema` throws. Tests give
 * other migrations, here and below.
 */
export async function requireSchema(database: Database, known = migrations): Promise<void> {
  const version = await database.read(() => knownSchema(known));
  if (version === newestOf(known)) return;
  throw new AppError(
    'OTHER_SCHEMA',
    `The database belongs to another version of Shingle (its schema is ${version}, this ` +
      `version uses ${newestOf(known)}). Please restart the site with this version, or use the version that runs on it.`,
  );
}

/** Whether a checkout before the baseline wrote a database with this schema version. */
export const isBeforeBaseline = (version: number): boolean =>
  version > 0 && version < baseline.version;

/** What to do with data of a checkout before the baseline, as a sentence. */
export const beforeBaselineAdvice =
  'Only older checkouts read it, such as commit 3478040, which exports it as CSV: docs/admin-cli.md says how to take ' +
  'it along.';

/**
 * Returns the version of the schema, or 0 in a new database. Throws `EARLIER_DATABASE` or `NEWER_DATABASE`
 * when this release cannot work with it.
 */
export function* knownSchema(known = migrations): Statements<number> {
  const found = yield* get(selectSchema);
  const current = found?.version ?? 0;
  if (isBeforeBaseline(current)) {
    throw new AppError(
      'EARLIER_DATABASE',
      `The database was written by an earlier checkout of Shingle (its schema is ${current}). ${beforeBaselineAdvice}`,
    );
  }
  if ((found?.oldest ?? 0) <= newestOf(known)) return current;
  throw new AppError(
    'NEWER_DATABASE',
    `The database was written by a newer version of Shingle (its schema is ${current}, ` +
      `this version knows ${newestOf(known)}). Please start the newer version, or restore a backup.`,
  );
}

/**
 * Migrates the schema to this release. The write lock serializes processes that start together, so only the
 * first one migrates.
 */
export async function migrate(database: Database, known = migrations): Promise<void> {
  await database.write(function* () {
    yield* script(schemaTable);
    const current = yield* knownSchema(known);
    for (const migration of known.filter(({ version }) => version > current)) {
      yield* script(migration.sql);
      if (migration.after) yield* migration.after();
      yield* run(recordSchema(migration));
    }
  });
}

/** Migrates a new database. Throws `OTHER_SCHEMA` unless any other one has the schema of this release. */
export async function migrateNew(database: Database, known = migrations): Promise<void> {
  await database.write(() => script(schemaTable));
  const isNew = (await database.read(() => knownSchema(known))) === 0;
  await (isNew ? migrate(database, known) : requireSchema(database, known));
}
