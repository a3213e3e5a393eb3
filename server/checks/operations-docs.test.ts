/** Checks that `docs/operations.md` explains only log messages, metrics and commands that exist. */
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
  expect(lines.filter((line) => !sources.includes(line))).toEqual([]);
});

it('docs/operations.md explains every metric and no others', () => {
  const named = [...page.matchAll(/`((?:shingle|nodejs|process)_\w+)/g)].map(([, name]) => name);
  const counted = [...sources.matchAll(/'((?:shingle|nodejs|process)_\w+)'/g)].map(([, n]) => n);
  expect([...new Set(named)].sort()).toEqual([...new Set(counted)].sort());
});

it('docs/operations.md names only commands that exist', () => {
  const typed = [...page.matchAll(/npm run admin -- (\w+)/g)].map(([, name]) => name);
  const known = commands.map(({ name }) => name);
  expect(typed.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  expect(nightsKept).toBe(14);
});
