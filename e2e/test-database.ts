/** Where a site under test keeps everything. */
import { rm } from 'node:fs/promises';
import { databaseFile } from '../server/app/data-folder.ts';
import { hashPassword } from '../server/auth/password.ts';
import { createAuthStore } from '../server/auth/store-sql.ts';
import type { Database } from '../server/database/database.ts';
import { migrate } from '../server/database/migrate.ts';
import { openPostgres } from '../server/database/postgres/postgres.ts';
import { openSqlite } from '../server/database/sqlite/sqlite.ts';
import { serverBehind } from '../server/testing/postgres/endpoint.ts';
import { schemaOn } from '../server/testing/postgres/server.ts';
import { emptyFolder } from '../server/testing/process/server-process.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

interface Place {
  /** What the site must be told to keep it there. */
  env: Record<string, string>;
  /** Opens it beside the site. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/**
 * A place of its own for a site, with nothing in it but the password. Its hash is a cheap one: checking
 * one of the usual price takes a third of a second, at each start and each sign-in.
 */
export async function emptyDatabase(engine: Engine, password: string): Promise<Place> {
  const place = await barePlace(engine);
  const database = await place.open();
  try {
    await migrate(database);
    const hash = await hashPassword(password, { cost: 10, rounds: 1 });
    await createAuthStore(database).setPasswordHash(hash, Date.now());
  } finally {
    await database.close();
  }
  return place;
}

async function barePlace(engine: Engine): Promise<Place> {
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
