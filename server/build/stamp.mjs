/**
 * Stamps a build with the hash of its sources, so that `npm start` rebuilds only after a change. Plain
 * JavaScript, because it runs before there is a build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

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
 * Hashes the names and contents of all source files except tests and stray files.
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

/** Files of a file manager or an editor, such as `.DS_Store`, `.page.tsx.swp` or `page.tsx~`. */
const strayFile = /^\.|~$/;

/**
 * @param {string} root a file or a folder; a missing one has no files
 * @returns {string[]}
 */
function filesBelow(root) {
  const stats = statSync(root, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return strayFile.test(basename(root)) ? [] : [root];
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
const isCurrent = (stamp) => !existsSync('vite.config.ts') || stamp === hashOfSources();

/**
 * Returns the function that says whether the sources are no longer those of this stamp. It hashes them only
 * after a change, which the file system dates also where the time of a file is copied.
 * @param {string} stamp
 * @returns {() => boolean}
 */
export function createIsOutdated(stamp) {
  let hashedAt = Number.NaN;
  let isOutdated = false;
  return () => {
    const changedAt = Math.max(...sources.map(changeBelow));
    if (changedAt !== hashedAt) isOutdated = !isCurrent(stamp);
    hashedAt = changedAt;
    return isOutdated;
  };
}

/**
 * @param {string} path a file or a folder
 * @returns {number} the newest change in it, in ms since 1970; 0 when it is missing
 */
function changeBelow(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  const names = stats.isFile() ? [] : readdirSync(path);
  return Math.max(stats.ctimeMs, ...names.map((name) => changeBelow(join(path, name))));
}

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
