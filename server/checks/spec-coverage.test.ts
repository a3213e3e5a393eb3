/** Checks that the tests named in `docs/spec-coverage.md` exist. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { missingTests, rowsOf } from '../testing/doc-rows.ts';

const page = await readFile('docs/spec-coverage.md', 'utf8');
const sections = page.split(/^## /m).slice(1);

describe('docs/spec-coverage.md', () => {
  it('docs/spec-coverage.md has rows for each of its nine sections', () => {
    const numbers = sections.map((section) => Number.parseInt(section, 10));
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const section of sections) expect(rowsOf(section).length).toBeGreaterThan(3);
  });

  it('docs/spec-coverage.md names only tests that exist', async () => {
    const message = 'Correct these rows, or the titles of the tests';
    expect(await missingTests(sections.flatMap(rowsOf)), message).toEqual([]);
  });

  it('docs/spec-coverage.md has no row that cannot be parsed', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('- '));
    expect(sections.flatMap(rowsOf)).toHaveLength(rows.length);
  });
});
