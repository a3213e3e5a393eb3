/** Everything that is kept, behind one door: the database and the features' stores on it. */
import { attributionOf } from './analytics/attribution-sqlite.ts';
import { settledPayments, settledSale, settleSale } from './analytics/sales-sqlite.ts';
import { createSqliteAnalyticsStore } from './analytics/store-sqlite.ts';
import { createSqliteAuthStore } from './auth/store-sqlite.ts';
import { createSqliteContactStore } from './contact/store-sqlite.ts';
import { databaseFile } from './data-folder.ts';
import { migrate } from './database/migrate.ts';
import { openSqlite } from './database/sqlite.ts';
import { createSqliteMailStore } from './mail/store-sqlite.ts';
import { createSqlitePaymentStore } from './payments/store-sqlite.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Opens the embedded database in this folder and the stores on it. */
export async function openStores(folder: string) {
  const database = openSqlite(databaseFile(folder));
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
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
    isReady: async () => void database.read((tx) => tx.get('SELECT 1')),
    close: () => database.close(),
  };
}
