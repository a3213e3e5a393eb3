/** Findings about the sales that are stored already. */
import { existsSync } from 'node:fs';
import { databaseFile } from '../app/data-folder.ts';
import { withStoresAsTheyAre } from '../app/stores.ts';
import type { Env } from '../env.ts';
import { sentenceFor } from '../health/storage-errors.ts';
import type { Finding } from './finding.ts';

/** Says how many test payments are counted as sales. Changes nothing, also where an update would. */
export async function testSaleFindings(env: Env): Promise<Finding[]> {
  if (env.DATABASE_URL === undefined && !existsSync(databaseFile(env.DATA_DIR))) return [];
  const finding = { topic: 'settings', where: 'Test payments' } as const;
  try {
    const count = await withStoresAsTheyAre(env, ({ payments }) => payments.countTestSales());
    if (count === 0) return [];
    const text = `are counted: ${count} ${count === 1 ? 'sale' : 'sales'}. They are deleted when the site starts with an https address in PUBLIC_URL.`;
    return [{ ...finding, kind: 'advice', text }];
  } catch (error) {
    const reason = sentenceFor(error) ?? 'The database cannot be read.';
    return [{ ...finding, kind: 'unknown', text: `could not be counted. ${reason}` }];
  }
}
