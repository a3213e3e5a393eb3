/**
 * Who uses a data folder: any number of programs that work in it, or one that puts another database into
 * it. The locks are the system's own, on a file that stays empty, so that they end with whoever held
 * them, however that ended.
 */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { codeOf } from '../../error-code.ts';

/** Thrown when the folder cannot be used now; its message tells the owner what to do. */
export class FolderInUse extends Error {}

/** How long a program waits for one that only checks whether the folder is shared, in ms. */
const patience = 1000;

/** The same for the check itself, which waits in vain whenever the folder is shared. */
const checkPatience = 100;

/** Works in the folder beside others, until the function that is returned is called. */
export function shareFolder(folder: string): () => void {
  return lock(folder, {
    sql: 'BEGIN; SELECT count(*) FROM sqlite_master',
    timeout: patience,
    refusal: `A backup is being restored into ${folder}. Please wait until that is done, and try again.`,
  });
}

/** Has the folder to itself, until the function that is returned is called. */
export function takeFolder(folder: string, timeout = patience): () => void {
  return lock(folder, {
    sql: 'BEGIN EXCLUSIVE',
    timeout,
    refusal:
      `The site is running on ${folder}, or another command is working there. ` +
      'Please stop it first, and try again.',
  });
}

/** Whether any program works in the folder. */
export function isFolderShared(folder: string): boolean {
  try {
    takeFolder(folder, checkPatience)();
    return false;
  } catch (error) {
    if (error instanceof FolderInUse) return true;
    throw error;
  }
}

function lock(
  folder: string,
  { sql, timeout, refusal }: { sql: string; timeout: number; refusal: string },
): () => void {
  const file = new DatabaseSync(join(folder, 'in-use'), { timeout });
  try {
    file.exec(sql);
  } catch (error) {
    file.close();
    throw codeOf(error) === 'SQLITE_BUSY' ? new FolderInUse(refusal) : error;
  }
  return () => {
    if (file.isOpen) file.close();
  };
}
