/** For tests: every engine the stores run on, opened empty, closed and opened again. */
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach } from 'vitest';
import { openStores, type Stores } from '../app/stores.ts';
import { schemaOn } from './postgres/server.ts';
import { migratedSchema, sharedPostgres } from './postgres/shared.ts';
import { migratedFolder } from './sqlite.ts';

interface Engine {
  name: string;
  /** Makes a migrated place without rows; `open` opens it, again and again if need be. */
  create(): Promise<Place>;
}

interface Place {
  /** What tells a process of its own where it is. */
  env: Record<string, string>;
  open(): Promise<Stores>;
  remove(): Promise<void>;
}

const sqlite: Engine = {
  name: 'SQLite',
  async create() {
    const folder = await migratedFolder();
    return {
      env: { DATA_DIR: folder },
      open: () => openStores({ DATA_DIR: folder }),
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
      open: () => openStores({ DATABASE_URL: url, DATA_DIR: '' }),
      remove,
    };
  },
};

/** A schema of the run's server in which there is nothing, not even tables. */
export async function freshSchema() {
  const { url, drop } = await schemaOn(await sharedPostgres());
  return { url, remove: drop };
}

export const engines: Engine[] = [sqlite, postgres];

/**
 * Stores that are empty at the begin of each test around which this is called, and gone at its end.
 * What is not about engines runs on the embedded one.
 */
export function freshStores(engine = sqlite) {
  let place: Place;
  let current: Stores;

  beforeEach(async () => {
    place = await engine.create();
    current = await place.open();
  });
  afterEach(async () => {
    await current.close();
    await place.remove();
  });

  return {
    /** Those of the test that is running, whoever opened them last. */
    stores: new Proxy({} as Stores, { get: (_, name) => Reflect.get(current, name) }),
    /** Opens the same ones anew, as a process does that starts again. */
    async reopen(): Promise<void> {
      await current.close();
      current = await place.open();
    },
    /** Opens them once more, as another process does. */
    openBeside: (): Promise<Stores> => place.open(),
  };
}
