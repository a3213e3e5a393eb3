/** Opens the database and the stores of all features. */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createAnalyticsStore } from '../analytics/store.ts';
import { createAuthStore } from '../auth/store.ts';
import { createBusyStore } from '../booking/busy/store.ts';
import { createElsewhereStore } from '../booking/elsewhere/store.ts';
import { createBookingStore } from '../booking/store.ts';
import { createConnectionStore } from '../connections/store.ts';
import { createContactStore } from '../contact/store.ts';
import { createPhotoStore } from '../content/photos.ts';
import { createContentStore } from '../content/store.ts';
import { type Database, exists } from '../database/database.ts';
import { isDemo, markAsDemo } from '../database/demo-data.ts';
import { discardTemporaryFilesOf } from '../database/files.ts';
import { knownSchema, migrate, migrateNew, requireSchema } from '../database/migrate.ts';
import { isSiteRunning, lockForSite, shareFolder } from '../database/sqlite/folder-lock.ts';
import { openSqlite, type Recovery, type SqliteTiming } from '../database/sqlite/sqlite.ts';
import { refuseUnfinished } from '../database/unfinished.ts';
import { createOutboxStore } from '../email/store.ts';
import type { Env } from '../env.ts';
import { AppError } from '../errors.ts';
import { createKeyStore } from '../keys/store.ts';
import { createUsageStore } from '../rate-limit/store.ts';
import type { SaleSettings } from '../sales/settle.ts';
import { createSaleStore } from '../sales/store.ts';
import { createPaymentStore } from '../sales/stripe/store.ts';
import { createWebhookStore } from '../webhooks/store.ts';
import {
  backupFolder,
  closeToOthers,
  databaseFile,
  emptied,
  heldSite,
  requireContent,
} from './data-folder.ts';
import { databaseLease, fileLease } from './lease.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** The location of the data: a PostgreSQL address, or a folder with a SQLite file. */
export type DatabaseLocation = Partial<Pick<Env, 'DATABASE_URL'>> & Pick<Env, 'DATA_DIR'>;

/**
 * Opens the database, migrates it and creates the stores. While they are open, a SQLite folder is locked
 * against restoring a backup, and with `recovery`, which only sites have, against another site. Without
 * `updates` only a new database is migrated: throws `OTHER_SCHEMA` for that of another version.
 */
export async function openStores(
  { DATABASE_URL: url, DATA_DIR: folder }: DatabaseLocation,
  timing: SqliteTiming = {},
  {
    updates = true,
    recovery,
    sales,
  }: { updates?: boolean; recovery?: LossHandlers; sales?: SaleSettings | undefined } = {},
) {
  const { database, unlock } =
    url === undefined ? await openFile(folder, timing, recovery) : await openServer(url);
  const close = () => database.close().finally(unlock);
  try {
    await (updates ? migrate(database) : migrateNew(database));
    await refuseUnfinished(database);
  } catch (error) {
    await close();
    throw error;
  }
  const nightlyLease = url === undefined ? fileLease(folder) : databaseLease(database);
  return { ...storesOn(database, sales), nightlyLease, close };
}

/** Runs `use` on the stores of a database without migrating it. Throws when its schema is another one. */
export async function withStoresAsTheyAre<T>(
  { DATABASE_URL: url, DATA_DIR: folder }: DatabaseLocation,
  use: (stores: ReturnType<typeof storesOn>) => Promise<T>,
): Promise<T> {
  const { database, unlock } =
    url === undefined ? await openFile(folder, {}) : await openServer(url);
  try {
    await requireSchema(database);
    return await use(storesOn(database));
  } finally {
    await database.close().finally(unlock);
  }
}

/** The location in words, without user and password. */
export function nameOf({ DATABASE_URL: url, DATA_DIR: folder }: DatabaseLocation): string {
  if (url === undefined) return folder;
  const { pathname, host } = new URL(url);
  return `the PostgreSQL database ${decodeURIComponent(pathname.slice(1))} at ${host}`;
}

/** What the owner hears of lost files. Only a site gives these. */
type LossHandlers = Pick<Recovery, 'onLoss' | 'onReturn'>;

interface Opened {
  database: Database;
  /** Releases the folder lock once the database is closed. */
  unlock: () => void;
}

async function openFile(
  folder: string,
  timing: SqliteTiming,
  handlers?: LossHandlers,
): Promise<Opened> {
  const unlock = handlers ? await lockForSite(folder) : await shareWithSite(folder);
  try {
    const file = databaseFile(folder);
    requireContent(folder);
    // Of a site or a restore that was killed: the lock of the site excludes others.
    if (handlers) discardTemporaryFilesOf(file);
    closeToOthers(file);
    const recovery = handlers && { keepIn: backupFolder(folder), ...handlers };
    const database = openSqlite(file, { ...timing, recovery });
    if (heldSite(folder) && !database.readNow(hasTables)) {
      await database.close();
      throw emptied(folder);
    }
    return { database, unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

const hasTables = () => exists(`SELECT 1 AS one FROM sqlite_master`);

/** How long a command waits while the site saves the data of deleted files, in ms. */
const recoveryTimeoutMs = 5000;

/**
 * Takes the shared lock, and returns the function that releases it. While a site runs, it waits until the
 * three files of the database are there: SQLite would create the missing ones, and see another database.
 */
export async function shareWithSite(folder: string): Promise<() => void> {
  const unlock = shareFolder(folder);
  const deadline = performance.now() + recoveryTimeoutMs;
  while (hasLostFiles(folder)) {
    if (performance.now() > deadline) {
      unlock();
      throw new AppError(
        'FOLDER_IN_USE',
        `The site is running on ${folder}, but shingle.db, shingle.db-wal or shingle.db-shm there was deleted ` +
          'or moved, and it could not save its data again. Its dashboard says what to do.',
      );
    }
    await setTimeout(100);
  }
  return unlock;
}

const hasLostFiles = (folder: string) =>
  ['', '-wal', '-shm'].some((suffix) => !existsSync(databaseFile(folder) + suffix)) &&
  isSiteRunning(folder);

/** Imports the PostgreSQL driver lazily, because most sites use SQLite. */
async function openServer(url: string): Promise<Opened> {
  const { openPostgres } = await import('../database/postgres/postgres.ts');
  return { database: await openPostgres(url), unlock: () => {} };
}

/** The same database, and the number of writes that were made by way of it. */
function countingWrites(database: Database): { database: Database; writes: () => number } {
  let writes = 0;
  const counting: Database = {
    ...database,
    // Counted also when it fails: a commit whose response is lost may have been made.
    write: (job) =>
      database.write(job).finally(() => {
        writes += 1;
      }),
  };
  return { database: counting, writes: () => writes };
}

/** The stores on an open database whose schema is up to date. */
export function storesOn(database: Database, settings: SaleSettings = { hasWebhook: false }) {
  const busyTimes = countingWrites(database);
  return {
    contact: createContactStore(database),
    content: createContentStore(database),
    photos: createPhotoStore(database),
    connections: createConnectionStore(database),
    bookings: createBookingStore(busyTimes.database),
    busy: createBusyStore(busyTimes.database),
    /** How many writes may have changed the free times. */
    busyTimeWrites: busyTimes.writes,
    elsewhere: createElsewhereStore(database),
    auth: createAuthStore(database),
    keys: createKeyStore(database),
    analytics: createAnalyticsStore(database),
    sales: createSaleStore(database, settings),
    payments: createPaymentStore(database, settings),
    mail: createOutboxStore(database),
    webhooks: createWebhookStore(database),
    /** Rate limit counts that instances share; undefined on SQLite, which has one instance. */
    uses: database.engine === 'postgres' ? createUsageStore(database) : undefined,
    /**
     * Resolves when a write has reached the disk; a full or read-only disk would still pass a read. Rejects,
     * too, when a newer version has migrated the schema.
     */
    async isReady() {
      await database.probe();
      await database.read(knownSchema);
    },
    /** Counts of commits and writes since the start. */
    work: database.writeStats,
    /** Overwrites the remains of deleted rows. Returns false when a reader blocked it. */
    wipeDeletedRows: () => database.wipeDeletedRows(),
    /** Whether the data are made up by the command `demo`. */
    isDemo: () => isDemo(database),
    markAsDemo: () => markAsDemo(database),
    /** The error of the last write; undefined when it succeeded. */
    lastError: () => database.lastError(),
  };
}
