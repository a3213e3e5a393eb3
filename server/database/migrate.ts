import { type Database, get, run, type Steps, script } from './database.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { payments } from './migrations/0002-payments.ts';
import { sources } from './migrations/0003-sources.ts';
import { retention } from './migrations/0004-retention.ts';
import { outbox } from './migrations/0005-outbox.ts';
import { inbox } from './migrations/0006-inbox.ts';
import { postgresFoundation } from './migrations/0007-postgres.ts';
import { sessions } from './migrations/0007-sessions.ts';
import { type Sql, sql } from './sql.ts';

/** One step of the schema. Never edited after a release; the next change is the next step. */
export interface Migration {
  version: number;
  sql: string | Sql;
  /** What SQL alone cannot do, in the same transaction. */
  after?: () => Steps<void>;
}

const migrations: Record<keyof Sql, Migration[]> = {
  sqlite: [foundation, payments, sources, retention, outbox, inbox, sessions],
  postgres: [postgresFoundation],
};

/** The schema that this version of the product works with. */
export const schemaVersion = migrations.sqlite.at(-1)?.version ?? 0;

/** Thrown when the file was written by a newer version of this product. */
export class NewerDatabase extends Error {}

const schemaTable = sql`CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)
  ${{ sqlite: 'STRICT', postgres: '' }}`;

/**
 * Brings the schema up to date. The transaction's write lock lets one process at a time do it; the
 * next one finds nothing left to do.
 */
export async function migrate(database: Database): Promise<void> {
  await database.write(function* () {
    yield* script(schemaTable);
    const row = yield* get<{ version: number | null }>(
      'SELECT max(version) AS version FROM schema_version',
    );
    const current = row?.version ?? 0;
    if (current > schemaVersion) {
      throw new NewerDatabase(
        `The database was written by a newer version of Shingle (its schema is ${current}, ` +
          `this version knows ${schemaVersion}). Please start the newer version, or restore a backup.`,
      );
    }
    for (const { version, sql, after } of migrations[database.engine]) {
      if (version <= current) continue;
      yield* script(sql);
      if (after) yield* after();
      yield* run('INSERT INTO schema_version (version) VALUES (?)', [version]);
    }
  });
}
