/** Everything that is kept, behind one door: the database and the features' stores on it. */
import { attributions } from '../analytics/attribution-sql.ts';
import { settledPayments, settledSale, settleSale } from '../analytics/sales-sql.ts';
import { createAnalyticsStore } from '../analytics/store-sql.ts';
import { createAuthStore } from '../auth/store-sql.ts';
import { createContactStore } from '../contact/store-sql.ts';
import type { Database } from '../database/database.ts';
import { knownSchema, migrate } from '../database/migrate.ts';
import { shareFolder } from '../database/sqlite/folder-lock.ts';
import { openSqlite, type SqliteTiming } from '../database/sqlite/sqlite.ts';
import { refuseUnfinished } from '../database/unfinished.ts';
import { createOutboxStore } from '../email/store-sql.ts';
import type { Env } from '../env.ts';
import { databaseLease, fileLease } from '../maintenance/lease.ts';
import { createUsageStore } from '../rate-limit/store-sql.ts';
import { createPaymentStore } from '../stripe/store-sql.ts';
import { closeToOthers, databaseFile } from './data-folder.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Where everything is kept: in the database at this address, or in this folder. */
export type DatabaseLocation = Partial<Pick<Env, 'DATABASE_URL'>> & Pick<Env, 'DATA_DIR'>;

/**
 * Opens the database and the stores on it. Nobody can restore a backup into the folder of an embedded
 * one until they are closed.
 */
export async function openStores(
  { DATABASE_URL: url, DATA_DIR: folder }: DatabaseLocation,
  timing: SqliteTiming = {},
) {
  const { database, leave } = url === undefined ? openFile(folder, timing) : await openServer(url);
  const close = async () => {
    await database.close();
    leave();
  };
  try {
    await migrate(database);
    await refuseUnfinished(database);
  } catch (error) {
    await close();
    throw error;
  }
  const night = url === undefined ? fileLease(folder) : databaseLease(database);
  return { ...storesOn(database), night, close };
}

/** What people call it, without the user and the password. */
export function nameOf({ DATABASE_URL: url, DATA_DIR: folder }: DatabaseLocation): string {
  if (url === undefined) return folder;
  const { pathname, host } = new URL(url);
  return `the PostgreSQL database ${decodeURIComponent(pathname.slice(1))} at ${host}`;
}

interface Opened {
  database: Database;
  /** Tells others, once it is closed, that nobody is there any more. */
  leave: () => void;
}

function openFile(folder: string, timing: SqliteTiming): Opened {
  const leave = shareFolder(folder);
  try {
    closeToOthers(databaseFile(folder));
    return { database: openSqlite(databaseFile(folder), timing), leave };
  } catch (error) {
    leave();
    throw error;
  }
}

/** Loads the driver only now: most sites never need it. */
async function openServer(url: string): Promise<Opened> {
  const { openPostgres } = await import('../database/postgres/postgres.ts');
  return { database: await openPostgres(url), leave: () => {} };
}

/** The stores on an open database whose schema is up to date. */
export function storesOn(database: Database) {
  return {
    contact: createContactStore(database),
    auth: createAuthStore(database),
    analytics: createAnalyticsStore(database),
    payments: createPaymentStore(database, {
      settle: settleSale,
      settled: settledSale,
      payments: settledPayments,
      attributions,
    }),
    mail: createOutboxStore(database),
    /** What instances must know of each other's visitors; an embedded database has but one. */
    uses: database.engine === 'postgres' ? createUsageStore(database) : undefined,
    /**
     * Resolves when a write has reached the disk: one that is full or cannot be written still answers
     * questions, and takes no message. Rejects, too, once an update beside this program has changed what
     * it works with.
     */
    async isReady() {
      await database.probe();
      await database.read(knownSchema);
    },
    /** What the database has done until now. */
    work: database.writeStats,
    /** Overwrites what is left of what was deleted; false: somebody was reading it all the while. */
    wipeDeletedRows: () => database.wipeDeletedRows(),
    /** Why the last write could not be kept; undefined when it was. */
    lastError: () => database.lastError(),
  };
}
