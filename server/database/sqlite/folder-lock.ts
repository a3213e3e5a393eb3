/**
 * A lock on a data folder: shared by the programs that work in it, one of which may be a site, or exclusive
 * for one that replaces its database. It uses the file locks of the operating system on an empty file, which
 * end with the process, also after a crash. Network file systems without locks notice no second site.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

/** How long a site waits for the previous one to stop, in ms: longer than a graceful stop takes. */
const siteTimeoutMs = 15_000;

/** Interval of its attempts, in ms. */
const siteRetryMs = 100;

/** Takes the lock of the site, which others share; resolves with the function that releases it. Throws `FOLDER_IN_USE`. */
export async function lockForSite(folder: string, timeoutMs = siteTimeoutMs): Promise<() => void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return keepLocked(folder, lockAsSite(folder));
    } catch (error) {
      if (!isAppError(error, 'FOLDER_IN_USE') || performance.now() > deadline) throw error;
    }
    await setTimeout(siteRetryMs);
  }
}

/** Interval of checks whether the locked file is still there, in ms: shorter than the start of a site. */
const checkMs = 100;

/** Locks the file again whenever it was deleted: otherwise another site would lock a new one. */
function keepLocked(folder: string, unlock: () => void): () => void {
  let unlockFile = unlock;
  let locked = inodeOf(folder);
  const checking = setInterval(() => {
    if (inodeOf(folder) === locked) return;
    try {
      const unlockLost = unlockFile;
      unlockFile = lockAsSite(folder);
      locked = inodeOf(folder);
      unlockLost();
    } catch {
      // The folder was moved, or a restore was faster: the next check tries again.
    }
  }, checkMs).unref();
  return () => {
    clearInterval(checking);
    unlockFile();
  };
}

const inodeOf = (folder: string) => statSync(lockFile(folder), { throwIfNoEntry: false })?.ino;

/** Whether a site, or a restore, holds the lock of the folder. */
export function isSiteRunning(folder: string): boolean {
  try {
    lockAsSite(folder)();
    return false;
  } catch (error) {
    if (isAppError(error, 'FOLDER_IN_USE')) return true;
    throw error;
  }
}

/** Readers share SQLite's reserved lock, of which there is one. */
const lockAsSite = (folder: string) =>
  lock(folder, {
    sql: 'BEGIN IMMEDIATE',
    timeoutMs: 0,
    refusal:
      `Another site is running on ${folder}, or a backup is being restored into it. ` +
      'Please stop that first, or set DATA_DIR to another folder.',
  });

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
