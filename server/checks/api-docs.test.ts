/** Checks that `docs/api.md` matches the routes and errors in the code. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { routes } from '../contract/routes.ts';
import { codes, sentences } from '../trpc/errors.ts';

const api = await readFile('docs/api.md', 'utf8');

it('docs/api.md lists every REST route with its procedure', () => {
  const rows = Object.entries(routes).map(
    ([procedure, { method, path }]) => `| \`${method} ${path}\` | \`${procedure}\` |`,
  );
  expect(rows.filter((row) => !api.includes(row))).toEqual([]);
});

const keys = Object.keys(sentences) as (keyof typeof sentences)[];

it('docs/api.md lists every error code with its sentence', () => {
  const listed = [...api.matchAll(/^\| \d{3} \| (`[A-Z_]+` \| .*) \|$/gm)].map(([, row]) => row);
  expect(listed.sort()).toEqual(keys.map((key) => `\`${codes[key]}\` | ${sentences[key]}`).sort());
});

it('error catalogue has one code for each sentence', () => {
  expect(new Set(Object.values(codes)).size).toBe(keys.length);
});
