/**
 * A lock on a data folder: shared by the programs that work in it, or exclusive for one that replaces its
 * database. It uses the file locks of the operating system on an empty file, which end with the process,
 * also after a crash.
 */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { AppError, codeOf, isAppError } from '../../errors.ts';

/** The file that is locked. It stays empty, so its time of modification is that of its creation. */
export const lockFile = (folder: string) => join(folder, 'in-use');

/** Lock timeout, in ms: longer than `isFolderShared` holds the lock. */
const lockTimeoutMs = 1000;

/** Lock timeout of `isFolderShared`, in ms. It waits this long whenever the folder is shared. */
const checkTimeoutMs = 100;

/** Takes the shared lock; returns the function that releases it. Throws `FOLDER_IN_USE`. */
export function shareFolder(folder: string): () => void {
  return lock(folder, {
    sql: 'BEGIN; SELECT count(*) FROM sqlite_master',
    timeoutMs: lockTimeoutMs,
    refusal: `A backup is being restored into ${folder}. Please wait until that is done, and try again.`,
  });
}

/** Takes the exclusive lock; returns the function that releases it. Throws `FOLDER_IN_USE`. */
export function lockFolder(folder: string, timeoutMs = lockTimeoutMs): () => void {
  return lock(folder, {
    sql: 'BEGIN EXCLUSIVE',
    timeoutMs,
    refusal:
      `The site is running on ${folder}, or another command is working there. ` +
      'Please stop it first, and try again.',
  });
}

/** Whether any program holds the lock of the folder, shared or exclusive. */
export function isFolderShared(folder: string): boolean {
  try {
    lockFolder(folder, checkTimeoutMs)();
    return false;
  } catch (error) {
    if (isAppError(error, 'FOLDER_IN_USE')) return true;
    throw error;
  }
}

function lock(
  folder: string,
  { sql, timeoutMs, refusal }: { sql: string; timeoutMs: number; refusal: string },
): () => void {
  const file = new DatabaseSync(lockFile(folder), { timeout: timeoutMs });
  try {
    file.exec(sql);
  } catch (error) {
    file.close();
    throw codeOf(error) === 'SQLITE_BUSY' ? new AppError('FOLDER_IN_USE', refusal) : error;
  }
  return () => {
    if (file.isOpen) file.close();
  };
}
