/** What the documents say of the wire is what the code says. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sentences } from '../errors.ts';
import { routes } from './routes.ts';

const api = await readFile('docs/api.md', 'utf8');

it('docs/api.md names every call with its procedure', () => {
  for (const [procedure, { method, path }] of Object.entries(routes)) {
    expect(api).toContain(`| \`${method} ${path}\` | \`${procedure}\` |`);
  }
});

it('docs/api.md lists every sentence of the error catalogue', () => {
  const listed = [...api.matchAll(/^\| \d{3} \| (.*) \|$/gm)].map(([, sentence]) => sentence);
  expect(listed.sort()).toEqual(Object.values(sentences).sort());
});
