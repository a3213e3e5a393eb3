/** The database of a site under test. */
import { rm } from 'node:fs/promises';
import { hashPassword } from '../server/auth/password.ts';
import { createAuthStore } from '../server/auth/store.ts';
import type { Database } from '../server/database/database.ts';
import { migrate } from '../server/database/migrate.ts';
import { openPostgres } from '../server/database/postgres/postgres.ts';
import { openSqlite } from '../server/database/sqlite/sqlite.ts';
import { databaseFile } from '../server/stores/data-folder.ts';
import { serverBehind } from '../server/testing/postgres/endpoint.ts';
import { schemaOn } from '../server/testing/postgres/server.ts';
import { emptyFolder } from '../server/testing/process/server-process.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

interface TestDatabase {
  /** Environment variables that make the site use it. */
  env: Record<string, string>;
  /** Opens another connection to it. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/**
 * Creates a database with only the admin password; undefined: one that a fresh site finds. The password hash has a low
 * cost: a normal one takes a third of a second, at each start and each sign-in.
 */
export async function createTestDatabase(
  engine: Engine,
  password: string | undefined,
): Promise<TestDatabase> {
  const testDatabase = await createUnmigrated(engine);
  const database = await testDatabase.open();
  try {
    await migrate(database);
    if (password !== undefined) {
      const hash = await hashPassword(password, { cost: 10, rounds: 1 });
      await createAuthStore(database).setPasswordHash(hash, Date.now());
    }
  } finally {
    await database.close();
  }
  return testDatabase;
}

async function createUnmigrated(engine: Engine): Promise<TestDatabase> {
  const folder = await emptyFolder();
  const removeFolder = () => rm(folder, { recursive: true });
  if (engine === 'SQLite') {
    return {
      env: { DATA_DIR: folder },
      open: async () => openSqlite(databaseFile(folder)),
      remove: removeFolder,
    };
  }
  const { url, drop } = await schemaOn(await serverBehind(process.env.E2E_POSTGRES_ENDPOINT ?? ''));
  return {
    env: { DATA_DIR: folder, DATABASE_URL: url, SESSION_SECRET: 'known to every instance' },
    open: () => openPostgres(url),
    async remove() {
      await drop();
      await removeFolder();
    },
  };
}
