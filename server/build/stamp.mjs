/**
 * Stamps a build with the hash of its sources, so that `npm start` rebuilds only after a change. Plain
 * JavaScript, because it runs before there is a build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files and folders that a build reads. */
export const sources = [
  'src',
  'server',
  'public',
  'index.html',
  'site.config.ts',
  'site.defaults.ts',
  'site.placeholder.ts',
  'vite.config.ts',
  'package-lock.json',
];

/**
 * Hashes the names and contents of all source files except tests.
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
 * @param {string} root a file or a folder; a missing one has no files
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
 * Writes the stamp. Take the hash before the build, because later changes are not in it.
 * @param {string} dist
 * @param {string} hash
 */
export function writeStamp(dist, hash) {
  writeFileSync(join(dist, 'stamp'), hash);
}

/**
 * The hash of the sources that `dist` was built from; undefined without a build.
 * @param {string} dist
 * @returns {string | undefined}
 */
export function stampOf(dist) {
  try {
    return readFileSync(join(dist, 'stamp'), 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Whether the sources are still those of this stamp. Without sources, as in a container, they are.
 * @param {string} stamp
 * @returns {boolean}
 */
export const isCurrent = (stamp) => !existsSync('vite.config.ts') || stamp === hashOfSources();

/**
 * Whether `dist` is a complete build of the current sources. Without sources, as in a container, any
 * complete build is fresh.
 * @param {string} dist
 * @returns {boolean}
 */
export function isFresh(dist) {
  const stamp = stampOf(dist);
  return stamp !== undefined && isCurrent(stamp);
}
