/** Checks that `docs/owner.md` names only commands, settings and files that exist. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { commands } from '../cli/commands.ts';
import { variableNames } from '../env.ts';

const page = await readFile('docs/owner.md', 'utf8');
const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
  scripts: Record<string, string>;
};

const named = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, name = '']) => name);

it('docs/owner.md names only commands that exist', () => {
  const scriptNames = named(/npm run ([\w-]+)/g);
  expect(scriptNames).toContain('launch-check');
  expect(scriptNames.filter((name) => !(name in scripts))).toEqual([]);
  const typed = named(/npm run admin -- ([a-z -]+)/g);
  expect(typed.length).toBeGreaterThan(2);
  for (const words of typed) {
    expect(
      commands.some(({ name }) => words.trim().startsWith(name)),
      words,
    ).toBe(true);
  }
});

it('docs/owner.md names only settings that exist', () => {
  const settings = named(/\b([A-Z]{2,}(?:_[A-Z]+)+)\b/g);
  expect(settings).toContain('PUBLIC_URL');
  expect(settings.filter((name) => !variableNames.includes(name))).toEqual([]);
});
