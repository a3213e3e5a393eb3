/** Everything that is kept, behind one door: the database and the features' stores on it. */
import { attributionOf } from './analytics/attribution-sqlite.ts';
import { settledPayments, settledSale, settleSale } from './analytics/sales-sqlite.ts';
import { createSqliteAnalyticsStore } from './analytics/store-sqlite.ts';
import { createSqliteAuthStore } from './auth/store-sqlite.ts';
import { createSqliteContactStore } from './contact/store-sqlite.ts';
import { closeToOthers, databaseFile } from './data-folder.ts';
import { shareFolder } from './database/folder-lock.ts';
import { migrate } from './database/migrate.ts';
import { openSqlite, type Sqlite } from './database/sqlite.ts';
import { createSqliteMailStore } from './mail/store-sqlite.ts';
import { createSqlitePaymentStore } from './payments/store-sqlite.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/**
 * Opens the embedded database in this folder and the stores on it. Nobody can restore a backup into the
 * folder until they are closed.
 */
export async function openStores(folder: string) {
  const leave = shareFolder(folder);
  try {
    closeToOthers(databaseFile(folder));
    const database = openSqlite(databaseFile(folder));
    try {
      await migrate(database);
    } catch (error) {
      await database.close();
      throw error;
    }
    const stores = storesOn(database);
    return {
      ...stores,
      async close() {
        await stores.close();
        leave();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/** The stores on an open database whose schema is up to date. */
export function storesOn(database: Sqlite) {
  return {
    contact: createSqliteContactStore(database),
    auth: createSqliteAuthStore(database),
    analytics: createSqliteAnalyticsStore(database),
    payments: createSqlitePaymentStore(database, {
      settle: settleSale,
      settled: settledSale,
      payments: settledPayments,
      attribution: attributionOf,
    }),
    mail: createSqliteMailStore(database),
    /**
     * Resolves when a write has reached the disk: a disk that is full or cannot be written still
     * answers questions, and takes no message. Writes a page that says nothing.
     */
    isReady: () => database.write((tx) => tx.script('PRAGMA user_version = 1')),
    /** What the database has done until now. */
    work: database.work,
    /** Overwrites what is left of what was deleted; false: somebody was reading it all the while. */
    shred: () => database.shred(),
    /** Why the last write could not be kept; undefined when it was. */
    fault: () => database.fault(),
    close: () => database.close(),
  };
}
