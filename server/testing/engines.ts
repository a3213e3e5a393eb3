/** For tests: stores on each database engine, empty at the start of each test. */
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach } from 'vitest';
import { type Database, run } from '../database/database.ts';
import { openPostgres } from '../database/postgres/postgres.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import type { SaleSettings } from '../sales/settle.ts';
import { databaseFile } from '../stores/data-folder.ts';
import { openStores, type Stores } from '../stores/stores.ts';
import { schemaOn } from './postgres/server.ts';
import { migratedSchema, sharedPostgres } from './postgres/shared.ts';
import { migratedFolder } from './sqlite.ts';

interface Engine {
  name: string;
  /** Creates a migrated test database without rows. */
  create(): Promise<TestDatabase>;
}

interface TestDatabase {
  /** Environment variables of a child process that uses this database. */
  env: Record<string, string>;
  /** Opens the stores; each call opens one more connection. */
  open(sales?: SaleSettings): Promise<Stores>;
  remove(): Promise<void>;
}

export const sqlite: Engine = {
  name: 'SQLite',
  async create() {
    const folder = await migratedFolder();
    return {
      env: { DATA_DIR: folder },
      open: (sales) => openStores({ DATA_DIR: folder }, {}, { sales }),
      remove: () => rm(folder, { recursive: true }),
    };
  },
};

export const postgres: Engine = {
  name: 'PostgreSQL',
  async create() {
    const { url, remove } = await migratedSchema();
    return {
      env: { DATABASE_URL: url, SESSION_SECRET: 'the same for every instance' },
      open: (sales) => openStores({ DATABASE_URL: url, DATA_DIR: '' }, {}, { sales }),
      remove,
    };
  },
};

/** Creates an empty schema, without tables, on the server of the test run. */
export async function freshSchema() {
  const { url, drop } = await schemaOn(await sharedPostgres());
  return { url, remove: drop };
}

/** Opens a test database without stores. */
export const openDatabase = async ({ env }: Pick<TestDatabase, 'env'>): Promise<Database> =>
  env.DATABASE_URL === undefined
    ? openSqlite(databaseFile(env.DATA_DIR ?? ''))
    : openPostgres(env.DATABASE_URL);

/** Both engines, for tests that run on each. */
export const engines: Engine[] = [sqlite, postgres];

/**
 * Opens empty stores before each test, and removes them after it. The default is SQLite, for tests that do
 * not depend on the engine.
 */
export function freshStores(engine = sqlite, sales?: SaleSettings) {
  let database: TestDatabase;
  let current: Stores;

  beforeEach(async () => {
    database = await engine.create();
    current = await database.open(sales);
  });
  afterEach(async () => {
    await current.close();
    await database.remove();
  });

  /** Opens the database beside the stores for this work. */
  const withDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const beside = await openDatabase(database);
    return work(beside).finally(() => beside.close());
  };
  return {
    /** The stores of the current test, also after `reopen`. */
    stores: new Proxy({} as Stores, { get: (_, name) => Reflect.get(current, name) }),
    /** Closes and opens the stores, like a restart of the process. */
    async reopen(): Promise<void> {
      await current.close();
      current = await database.open(sales);
    },
    /** Runs a statement that the stores do not have. Returns the number of rows it changed. */
    runSql: (text: string, values: (string | number | null)[] = []): Promise<number> =>
      withDatabase((beside) => beside.write(() => run(text, values))),
    withDatabase,
    /** Opens the same database a second time, like another process. */
    openBeside: (other?: SaleSettings): Promise<Stores> => database.open(other),
  };
}
