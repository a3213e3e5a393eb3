/** Checks that `docs/api.md` matches the routes in the code, and the error catalogue itself. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { type ProcedurePath, routes } from '../contract/routes.ts';
import { definitionOf } from '../http/openapi/document.ts';
import { errors } from '../trpc/errors.ts';

const api = await readFile('docs/api.md', 'utf8');

it('docs/api.md lists every REST route and no others, with procedure and caller', () => {
  const rows = Object.entries(routes).map(([name, { method, path }]) => {
    const { session, scope } = definitionOf(name as ProcedurePath).meta;
    const caller = scope ? `\`${scope}\`` : session ? 'owner' : 'everybody';
    return `| \`${method} ${path}\` | \`${name}\` | ${caller} |`;
  });
  const listed = [...api.matchAll(/^\| `(?:GET|POST) .+` \| `\w+\.\w+` \| .+ \|$/gm)].map(
    ([row]) => row,
  );
  expect(listed.sort(), 'Correct these rows of docs/api.md').toEqual(rows.sort());
});

it('error catalogue has one code for each sentence', () => {
  const all = Object.values(errors).map(([, sentence]) => sentence);
  expect(new Set(all).size).toBe(all.length);
});
