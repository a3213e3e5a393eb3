/** `docs/faults.md` says which test brings about which fault: those tests exist. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { missingTests, rowsOf } from '../testing/doc-table.ts';

const page = await readFile('docs/faults.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?!What happens)/.test(line));

it('every fault has a row that can be read, and none is out of sight', () => {
  expect(rows.length).toBeGreaterThan(25);
  expect(rowsOf(page)).toHaveLength(rows.length);
  for (const { says } of rowsOf(page)) expect(says.split(' | ')).toHaveLength(4);
});

it('every fault names a test that exists, in the file beside it', async () => {
  expect(await missingTests(rowsOf(page))).toEqual([]);
});
