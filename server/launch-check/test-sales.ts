/** Checks the sales that are stored already. */
import { sentenceFor } from '../health/storage-errors.ts';
import type { Finding } from './finding.ts';

/** Says how many test payments are counted as sales. Never rejects. */
export async function testSaleFindings(countTestSales: () => Promise<number>): Promise<Finding[]> {
  const where = 'Test payments';
  try {
    const count = await countTestSales();
    if (count === 0) return [];
    const text = `are counted: ${count} ${count === 1 ? 'sale' : 'sales'}. They are deleted when the site starts with an https address in PUBLIC_URL.`;
    return [{ kind: 'advice', where, text }];
  } catch (error) {
    const reason = sentenceFor(error) ?? 'The database cannot be read.';
    return [{ kind: 'unknown', where, text: `could not be counted. ${reason}` }];
  }
}
