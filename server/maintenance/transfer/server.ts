/** A site on a server, read as it is at one moment. */
import type { Database, Reader } from '../../database/database.ts';
import { migrate, requireSchema } from '../../database/migrate.ts';
import { refuseUnfinished } from '../../database/unfinished.ts';
import { fillFile } from './target.ts';

/** Opens it for `job`, which also gets the database as it is by now. `prepare` makes sure of its schema. */
export async function withServer<T>(
  url: string,
  job: (still: Reader, live: Database) => Promise<T>,
  prepare = migrate,
): Promise<T> {
  const { openPostgres } = await import('../../database/postgres/postgres.ts');
  const database = await openPostgres(url);
  try {
    await prepare(database);
    await refuseUnfinished(database);
    return await database.snapshot((still) => job(still, database));
  } finally {
    await database.close();
  }
}

/**
 * Makes of it the embedded database `file`, which must not be there, whoever writes to it meanwhile. It is
 * left as it is: who makes a copy before an update does not want the update. Throws `OtherSchema`.
 */
export const copyServer = (url: string, file: string): Promise<void> =>
  withServer(url, (still) => fillFile(still, file, async () => {}), requireSchema);
