import { existsSync } from 'node:fs';
import { databaseFile } from '../app/data-folder.ts';
import { withStoresAsTheyAre } from '../app/stores.ts';
import type { Env } from '../env.ts';

/** Counts the test payments of a site that may be running. Changes nothing, also where an update would. */
export async function countTestSales(env: Env): Promise<number> {
  if (env.DATABASE_URL === undefined && !existsSync(databaseFile(env.DATA_DIR))) return 0;
  return withStoresAsTheyAre(env, ({ payments }) => payments.countTestSales());
}
