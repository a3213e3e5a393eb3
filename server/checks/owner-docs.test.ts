/** Checks that what owners read is short, and names only commands and settings that exist. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { commands } from '../cli/commands.ts';
import { variableNames } from '../env.ts';

const guide = await readFile('docs/owner.md', 'utf8');
const pages = guide + (await readFile('docs/details.md', 'utf8'));

const named = (page: string, pattern: RegExp) =>
  [...page.matchAll(pattern)].map(([, name = '']) => name);
const settingsIn = (page: string) => named(page, /\b([A-Z]{2,}(?:_[A-Z]+)+)\b/g);

it('docs/owner.md has at most 900 words and needs no setting or file of the server', () => {
  expect(guide.match(/\p{L}[\p{L}\p{N}’.-]*/gu)?.length).toBeLessThanOrEqual(900);
  expect(settingsIn(guide)).toEqual([]);
  expect(guide).not.toMatch(/site\.config|`\.env`/);
});

it('docs for owners name only commands that exist', () => {
  const typed = named(pages, /npm run admin -- ([a-z -]+)/g);
  expect(typed.length).toBeGreaterThan(2);
  for (const words of typed) {
    expect(
      commands.some(({ name }) => words.trim().startsWith(name)),
      words,
    ).toBe(true);
  }
});

it('docs for owners name only settings that exist', () => {
  const settings = settingsIn(pages);
  expect(settings).toContain('SMTP_URL');
  expect(settings.filter((name) => !variableNames.includes(name))).toEqual([]);
});
