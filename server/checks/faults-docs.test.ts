/** Checks that the tests named in `docs/faults.md` exist. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { missingTests, rowsOf } from '../testing/doc-rows.ts';

const page = await readFile('docs/faults.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?!What happens)/.test(line));

it('docs/faults.md has one complete row for each fault', () => {
  expect(rows.length).toBeGreaterThan(25);
  expect(rowsOf(page)).toHaveLength(rows.length);
  for (const { text } of rowsOf(page)) expect(text.split(' | ')).toHaveLength(2);
});

it('docs/faults.md names only tests that exist', async () => {
  const message = 'Correct these rows, or the titles of the tests';
  expect(await missingTests(rowsOf(page)), message).toEqual([]);
});
