/** A site on a server, read as it is at one moment. */
import type { Database, Reader } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { refuseUnfinished } from '../database/unfinished.ts';
import { fillFile } from './target.ts';

/** Opens it for `job`, which also gets the database as it is by now. */
export async function withServer<T>(
  url: string,
  job: (still: Reader, live: Database) => Promise<T>,
): Promise<T> {
  const { openPostgres } = await import('../database/postgres.ts');
  const database = await openPostgres(url);
  try {
    await migrate(database);
    await refuseUnfinished(database);
    return await database.moment((still) => job(still, database));
  } finally {
    await database.close();
  }
}

/** Makes of it the embedded database `file`, which must not be there, whoever writes to it meanwhile. */
export const copyServer = (url: string, file: string): Promise<void> =>
  withServer(url, (still) => fillFile(still, file, async () => {}));
