/** The folder that holds everything worth keeping. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-code.ts';

/** Thrown when the folder cannot be used; its message tells the owner what to do. */
export class UnusableFolder extends Error {}

/** Makes the folder when it is missing, for its owner's eyes only, and checks that all can be written. */
export function prepareFolder(folder: string): void {
  prepare(folder);
  const file = databaseFile(folder);
  if (!existsSync(file)) return;
  try {
    // The engine would open it all the same, and fail at the first message.
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new UnusableFolder(
      `The database file ${file} cannot be written (${codeOf(error)}). Please give this user write access to it.`,
    );
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = codeOf(error);
    const reason = code ? ` (${code})` : '';
    throw new UnusableFolder(
      `The data folder ${folder} cannot be written${reason}. ` +
        'Please give this user write access to it, or set DATA_DIR to another folder.',
    );
  }
}

export const databaseFile = (folder: string) => join(folder, 'shingle.db');

/**
 * Takes the database from other users' eyes when it was made where they may look. The engine makes its
 * log by the mode of the database, which therefore comes first.
 */
export function closeToOthers(database: string): void {
  for (const ending of ['', '-wal', '-shm']) narrow(database + ending);
}

function narrow(file: string): void {
  try {
    const { mode, uid } = statSync(file);
    if (uid === process.getuid?.() && (mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch {
    // It is not there, or its file system has no modes: no reason to do without the site.
  }
}

/** Where backups are kept. */
export const backupFolder = (folder: string) => join(folder, 'backups');

export const sessionSecretFile = (folder: string) => join(folder, 'session-secret');

/** The secret that signs cookies: kept in the folder, made at the first start. */
export function sessionSecret(folder: string): string {
  const path = sessionSecretFile(folder);
  const secret = read(path) ?? make(path);
  if (secret.length >= 32) return secret;
  throw new UnusableFolder(
    `The session secret in ${path} is damaged. Please delete that file; a new one is made, and ` +
      'the admin signs in again.',
  );
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new UnusableFolder(`The session secret in ${path} cannot be read (${codeOf(error)}).`);
  }
}

/**
 * Makes the file under another name, whole and on disk, before it gets its own: of two processes that
 * start at once, one names its file first and the other reads that.
 */
function make(path: string): string {
  const draft = `${path}-${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  writeSync(file, randomBytes(32).toString('base64url'));
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return read(path) ?? '';
}
