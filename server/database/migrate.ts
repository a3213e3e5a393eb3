import { AppError } from '../errors.ts';
import { columns, computed, max } from './columns.ts';
import { type Database, get, run, type Statements, script } from './database.ts';
import { baseline } from './migrations/0023-baseline.ts';
import type { Migration } from './migrations/migration.ts';
import { type Sql, sql } from './sql.ts';

/** In order, for both engines. Add a new one at the end. */
export const migrations: readonly Migration[] = [baseline];

/** The schema version of this release. */
export const schemaVersion = migrations.at(-1)?.version ?? 0;

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
 * Migrates the schema to this release; tests give other migrations. The write lock serializes processes that
 * start together, so only the first one migrates.
 */
export async function migrate(database: Database, wanted = migrations): Promise<void> {
  await database.write(function* () {
    yield* script(schemaTable);
    const current = yield* knownSchema();
    for (const migration of wanted.filter(({ version }) => version > current)) {
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
