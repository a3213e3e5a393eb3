/** Checks that `docs/operations.md` names only log messages, metrics and commands that exist, and the number of backups. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../cli/commands.ts';
import { nightsKept } from '../maintenance/backup/catalog.ts';

const page = readFileSync('docs/operations.md', 'utf8');
const sources = readdirSync('server', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/^testing\/|\.test\.ts$/.test(name))
  .map((name) => readFileSync(join('server', name), 'utf8'))
  .join('\n');

it('docs/operations.md explains only log messages that exist', () => {
  const log = page.slice(page.indexOf('## The log'));
  const lines = [...log.matchAll(/^\| `([^`]+)` \|/gm)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(15);
  const unknown = lines.filter((line) => !sources.includes(line));
  expect(unknown, 'Correct these rows of docs/operations.md, or the log messages').toEqual([]);
});

it('docs/operations.md explains every metric and no others', () => {
  const named = [...page.matchAll(/`((?:shingle|nodejs|process)_\w+)/g)].map(([, name]) => name);
  const counted = [...sources.matchAll(/'((?:shingle|nodejs|process)_\w+)'/g)].map(([, n]) => n);
  const message = 'Correct the metrics in docs/operations.md (first) or in the code';
  expect([...new Set(named)].sort(), message).toEqual([...new Set(counted)].sort());
});

it('docs/operations.md names only commands that exist', () => {
  const typed = [...page.matchAll(/npm run admin -- (\w+)/g)].map(([, name]) => name);
  const known = commands.map(({ name }) => name);
  const unknown = typed.filter((name) => !known.includes(name ?? ''));
  expect(unknown, 'Correct these commands in docs/operations.md').toEqual([]);
});

it.each([
  ['docs/operations.md', /`DATA_DIR\/backups` and keeps (\w+)/],
  ['README.md', /\*\*Backups:\*\* .* (\w+) kept/],
])('%s says how many nightly backups are kept', (file, sentence) => {
  const [, number] = sentence.exec(readFileSync(file, 'utf8')) ?? [];
  const message = `Correct the number in ${file}, or \`nightsKept\``;
  expect({ fourteen: 14 }[number ?? ''], message).toBe(nightsKept);
});
