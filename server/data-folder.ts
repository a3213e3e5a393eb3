/** The folder that holds everything worth keeping. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Thrown when the folder cannot be used; its message tells the owner what to do. */
export class UnusableFolder extends Error {}

/** Makes the folder when it is missing, for its owner's eyes only, and checks that it can be written. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UnusableFolder(
      `The data folder ${folder} cannot be written${reason}. ` +
        'Please give this user write access to it, or set DATA_DIR to another folder.',
    );
  }
}

export const databaseFile = (folder: string) => join(folder, 'shingle.db');

/** The secret that signs cookies: kept in the folder, made at the first start. */
export function sessionSecret(folder: string): string {
  const path = join(folder, 'session-secret');
  try {
    // `wx`: of two processes that start at once, one writes and the other reads what it wrote.
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
