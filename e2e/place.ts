/** Where a site under test keeps everything. */
import { rm } from 'node:fs/promises';
import { databaseFile } from '../server/data-folder.ts';
import type { Database } from '../server/database/database.ts';
import { openPostgres } from '../server/database/postgres.ts';
import { openSqlite } from '../server/database/sqlite.ts';
import { schemaOn } from '../server/database/test-postgres.ts';
import { serverBehind } from '../server/database/test-postgres-door.ts';
import { emptyFolder } from '../server/test-process.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

interface Place {
  /** What the site must be told to keep it there. */
  env: Record<string, string>;
  /** Opens it beside the site. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** A place of its own for a site, with nothing in it. */
export async function emptyPlace(engine: Engine): Promise<Place> {
  const folder = await emptyFolder();
  const removeFolder = () => rm(folder, { recursive: true });
  if (engine === 'SQLite') {
    return {
      env: { DATA_DIR: folder },
      open: async () => openSqlite(databaseFile(folder)),
      remove: removeFolder,
    };
  }
  const { url, drop } = await schemaOn(await serverBehind(process.env.E2E_POSTGRES_DOOR ?? ''));
  return {
    env: { DATA_DIR: folder, DATABASE_URL: url, SESSION_SECRET: 'known to every instance' },
    open: () => openPostgres(url),
    async remove() {
      await drop();
      await removeFolder();
    },
  };
}
