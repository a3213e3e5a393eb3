/** Checks that `docs/api.md` matches the routes and errors in the code. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { routes } from '../contract/routes.ts';
import { sentences } from '../trpc/errors.ts';

const api = await readFile('docs/api.md', 'utf8');

it('docs/api.md lists every REST route with its procedure', () => {
  const rows = Object.entries(routes).map(
    ([procedure, { method, path }]) => `| \`${method} ${path}\` | \`${procedure}\` |`,
  );
  expect(rows.filter((row) => !api.includes(row))).toEqual([]);
});

it('docs/api.md lists every error code with its sentence', () => {
  const listed = [...api.matchAll(/^\| \d{3} \| (`[A-Z_]+` \| .*) \|$/gm)].map(([, row]) => row);
  const rows = Object.entries(sentences).map(([code, sentence]) => `\`${code}\` | ${sentence}`);
  const missing = rows.filter((row) => !listed.includes(row));
  const outdated = listed.filter((row = '') => !rows.includes(row));
  expect({ missing, outdated }).toEqual({ missing: [], outdated: [] });
  expect(listed).toHaveLength(rows.length);
});

it('error catalogue has one code for each sentence', () => {
  const all = Object.values(sentences);
  expect(new Set(all).size).toBe(all.length);
});
