/** Checks that `THIRD-PARTY.md` names each package whose code the build puts into `dist/server`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');

/** Folders of the packages in the built server, such as `node_modules/express`. */
function bundledFolders(): string[] {
  const built = readdirSync('dist/server', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => read(join('dist/server', name)))
    .join('\n');
  const inComments = built.matchAll(
    /^\s*\/\/(?:#region)? ?((?:node_modules\/(?:@[\w.-]+\/)?[\w.-]+\/)+)/gm,
  );
  // The bundler writes no comment for a CommonJS module that it puts inside its only importer.
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    read('package.json'),
  );
  const isLoaded = (name: string) =>
    new RegExp(`(?:from |import |import\\(|__require\\()["'\`]${name}["'\`/]`).test(built);
  const inside = Object.keys(dependencies).filter((name) => !isLoaded(name));
  return [
    ...[...inComments].map(([, folder = '']) => folder.replace(/\/$/, '')),
    ...inside.map((name) => `node_modules/${name}`),
  ];
}

it('THIRD-PARTY.md names each package in the built server with its license, and no others', () => {
  const folders = bundledFolders();
  expect(folders).toEqual(
    expect.arrayContaining(['node_modules/cookie-session', 'node_modules/@trpc/server']),
  );
  const bundled = folders.map((folder) => {
    const { license }: { license: string } = JSON.parse(read(join(folder, 'package.json')));
    return `${folder.replace(/.*node_modules\//, '')}: ${license}`;
  });
  const [, section = ''] = read('THIRD-PARTY.md').split('### In the server\n');
  const groups = section.matchAll(/^- ([\w.-]+): (`.+(?:\n {2}`.+)*)$/gm);
  const named = [...groups].flatMap(([, license, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => `${name}: ${license}`),
  );
  expect(named.sort()).toEqual([...new Set(bundled)].sort());
});
