/** A folder in memory for the temporary files of a test run. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';

const folders = '/dev/shm';
const prefix = 'shingle-tests-';

/** Creates a folder in memory for all users; undefined where less than 4 GiB are free or no program may run. */
export function folderInMemory() {
  try {
    removeLeftovers();
    const { bavail, bsize } = statfsSync(folders);
    if (Math.min(bavail * bsize, process.availableMemory()) < 4 * 1024 ** 3) return undefined;
    if (/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) return undefined;
    const folder = mkdtempSync(`${folders}/${prefix}${process.pid}-`);
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return undefined;
  }
}

/** Removes this user's folders of runs that were killed, which would fill the memory. */
function removeLeftovers() {
  for (const name of readdirSync(folders).filter((each) => each.startsWith(prefix))) {
    const folder = `${folders}/${name}`;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (!isRunning(pid) && statSync(folder).uid === process.getuid?.()) remove(folder);
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** @param {string} folder */
export function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
