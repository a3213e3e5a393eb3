/** Reads a site on PostgreSQL from one snapshot. */
import type { Database, Reader } from '../../database/database.ts';
import { migrate, requireSchema } from '../../database/migrate.ts';
import { refuseUnfinished } from '../../database/unfinished.ts';
import { fillFile } from './target.ts';

/**
 * Opens the database at `url` and runs `work` with a snapshot and the live database. `prepare` migrates or
 * checks the schema first.
 */
export async function withServer<T>(
  url: string,
  work: (snapshot: Reader, live: Database) => Promise<T>,
  prepare = migrate,
): Promise<T> {
  const { openPostgres } = await import('../../database/postgres/postgres.ts');
  const database = await openPostgres(url);
  try {
    await prepare(database);
    await refuseUnfinished(database);
    return await database.snapshot((snapshot) => work(snapshot, database));
  } finally {
    await database.close();
  }
}

/**
 * Copies a snapshot of the database at `url` into the new SQLite file `file`. It does not migrate the
 * source, because a backup before an update must not apply the update. Throws `OTHER_SCHEMA`.
 */
export const copyServer = (url: string, file: string): Promise<void> =>
  withServer(url, (snapshot) => fillFile(snapshot, file, async () => {}), requireSchema);
