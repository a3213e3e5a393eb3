/** Checks the relative links of all Markdown files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const files = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** The fragments that GitHub gives to the headings of a page. */
const fragmentsOf = (page: string) =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each(files)('%s links only to files and headings that exist', (file) => {
  const page = readFileSync(file, 'utf8');
  const linked = [
    ...page.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
    ...page.matchAll(/(?:src|srcset)="([\w./-]+)"/g),
  ];
  const broken = linked.filter(([, path, fragment]) => {
    const target = path ? join(dirname(file), path) : file;
    if (!existsSync(target)) return true;
    return fragment && !fragmentsOf(readFileSync(target, 'utf8')).includes(fragment);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
