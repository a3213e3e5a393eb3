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

it('docs/api.md lists every error code once and no others', () => {
  const errors = api.slice(api.indexOf('## Errors'), api.indexOf('## Limits'));
  const rows = [...errors.matchAll(/^\| \d{3} \| (.*) \|$/gm)].map(([row]) => row).join('\n');
  const listed = [...rows.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
  expect(listed.sort()).toEqual(Object.keys(sentences).sort());
});

it('error catalogue has one code for each sentence', () => {
  const all = Object.values(sentences);
  expect(new Set(all).size).toBe(all.length);
});
