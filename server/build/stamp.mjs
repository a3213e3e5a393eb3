/**
 * A build knows which sources it came from, so that `npm start` builds again exactly when it must.
 * Plain JavaScript: it runs before there is a build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = [
  'src',
  'server',
  'public',
  'index.html',
  'site.config.ts',
  'vite.config.ts',
  'package-lock.json',
];

/**
 * A hash over the names and contents of every source file.
 * @returns {string}
 */
export function hashOfSources() {
  const hash = createHash('sha256');
  for (const root of sources) {
    for (const path of filesBelow(root)) {
      if (/\.test\.tsx?$/.test(path)) continue;
      hash.update(path).update('\0').update(readFileSync(path)).update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} root a file or a folder; one that is missing has no files
 * @returns {string[]}
 */
function filesBelow(root) {
  const stats = statSync(root, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [root];
  return readdirSync(root)
    .sort()
    .flatMap((name) => filesBelow(join(root, name)));
}

/**
 * Marks `dist` as built from the sources whose hash was taken before the build: what was changed
 * meanwhile is not in it.
 * @param {string} dist
 * @param {string} hash
 */
export function writeStamp(dist, hash) {
  writeFileSync(join(dist, 'stamp'), hash);
}

/**
 * Whether `dist` was built whole, from the sources as they are now. Where it came without them, as into a
 * container, there is nothing else that it could be.
 * @param {string} dist
 * @returns {boolean}
 */
export function isFresh(dist) {
  try {
    const stamp = readFileSync(join(dist, 'stamp'), 'utf8');
    return !existsSync('vite.config.ts') || stamp === hashOfSources();
  } catch {
    return false;
  }
}
