/** Checks that `THIRD-PARTY.md` names the license of every dependency that is not permissive. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const permissive = new Set([
  '(MIT AND Zlib)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
]);

it('THIRD-PARTY.md names every dependency with another license, and no others', async () => {
  const page = await readFile('THIRD-PARTY.md', 'utf8');
  const named = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name).sort();
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { license?: string }>;
  };
  const others = Object.entries(packages).flatMap(([path, { license = '' }]) => {
    const isOwn = path === '';
    return isOwn || permissive.has(license) ? [] : path.replace(/.*node_modules\//, '');
  });
  // Packages for single platforms add their name to that of the package: the longest match counts.
  const nameOf = (other: string) =>
    named.findLast((name) => other === name || other.startsWith(`${name}-`)) ?? other;
  expect([...new Set(others.map(nameOf))].sort()).toEqual(named);
});
