/** The data folder: database, backups and session secret. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError, codeOf } from '../errors.ts';

/** Creates the folder (mode 0700) if it is missing. Throws `UNUSABLE_FOLDER` when it or the database is not writable. */
export function prepareFolder(folder: string): void {
  prepare(folder);
  const file = databaseFile(folder);
  if (!existsSync(file)) return;
  try {
    // SQLite would open a read-only file, and fail at the first write.
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new AppError(
      'UNUSABLE_FOLDER',
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
    throw new AppError(
      'UNUSABLE_FOLDER',
      `The data folder ${folder} cannot be written${reason}. ` +
        'Please give this user write access to it, or set DATA_DIR to another folder.',
    );
  }
}

/**
 * Gives what root made in the folder to the folder's owner, the user of the service, which could not open it
 * otherwise. Without effect for other users, and in a folder of root.
 */
export function giveToOwner(folder: string): void {
  if (process.geteuid?.() !== 0 || !existsSync(folder)) return;
  const path = realpathSync(folder);
  const owner = statSync(path);
  if (owner.uid !== 0) giveContents(path, owner);
}

/** Follows no links: that user could put one in the place of a file or folder meanwhile. */
function giveContents(folder: string, { uid, gid }: { uid: number; gid: number }): void {
  const handle = openSync(
    folder,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  try {
    // On Linux this stays the opened folder, even if another one takes its path.
    const opened = `/proc/self/fd/${handle}`;
    const here = existsSync(opened) ? opened : folder;
    for (const name of readdirSync(here)) {
      const path = join(here, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory()) giveContents(path, { uid, gid });
      if (stats?.uid !== 0 || (stats.isFile() && stats.nlink > 1)) continue;
      try {
        lchownSync(path, uid, gid);
      } catch (error) {
        // In some containers root may not give files away, or has no other users.
        if (!/^(EPERM|EINVAL|ENOENT|EROFS|ENOSYS)$/.test(codeOf(error) ?? '')) throw error;
      }
    }
  } finally {
    closeSync(handle);
  }
}

export const databaseFile = (folder: string) => join(folder, 'shingle.db');

/** Whether a site has worked in the folder for a night, or a backup was made or restored there. */
export const heldSite = (folder: string): boolean =>
  existsSync(folder) &&
  (readdirSync(folder).some((name) => /^(before-restore-.*|last-(night|loss)\.json)$/.test(name)) ||
    (existsSync(backupFolder(folder)) &&
      readdirSync(backupFolder(folder)).some((name) => name.endsWith('.db'))));

/** The error for a folder that held a site, and whose database is missing or empty. */
export const emptied = (folder: string) =>
  new AppError(
    'UNUSABLE_FOLDER',
    `The database ${databaseFile(folder)} is missing or empty, but ${folder} has held a site. To bring that ` +
      'back: npm run admin -- restore lists its backups. To start anew instead, move everything in that ' +
      'folder elsewhere. If the data is on PostgreSQL, set DATABASE_URL.',
  );

/** Throws `UNUSABLE_FOLDER` when the database file is missing or empty, but the folder held a site. */
export function requireContent(folder: string): void {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const file = databaseFile(folder);
  // SQLite deletes a log beside an empty file.
  if (size(file) === 0 && (heldSite(folder) || size(`${file}-wal`) > 0)) throw emptied(folder);
}

/**
 * Makes the database readable by its owner only (mode 0600). SQLite creates the WAL with the mode of the
 * database, so the database comes first.
 */
export function closeToOthers(database: string): void {
  for (const ending of ['', '-wal', '-shm']) narrow(database + ending);
}

function narrow(file: string): void {
  try {
    const { mode, uid } = statSync(file);
    if (uid === process.getuid?.() && (mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch {
    // The file is missing, or its file system has no modes: the site works without this.
  }
}

/** The folder of the backups. */
export const backupFolder = (folder: string) => join(folder, 'backups');

export const sessionSecretFile = (folder: string) => join(folder, 'session-secret');

/** The length of a secret that is whole. */
const minSecret = 32;

/**
 * The secret that signs cookies and encrypts connections, created at the first start. Throws `UNUSABLE_FOLDER` when it
 * is damaged.
 */
export function sessionSecret(folder: string): string {
  const path = sessionSecretFile(folder);
  const secret = read(path) ?? make(path);
  if (secret.length >= minSecret) return secret;
  throw new AppError(
    'UNUSABLE_FOLDER',
    `The session secret in ${path} is damaged. Please put back a copy of that file. Without one, delete it; a new ` +
      'one is made, and the admin signs in and enters the connections under Settings again.',
  );
}

/** The secret of the folder; undefined when there is none that can be used. */
export function storedSessionSecret(folder: string): string | undefined {
  try {
    const secret = read(sessionSecretFile(folder));
    return secret !== undefined && secret.length >= minSecret ? secret : undefined;
  } catch {
    // What it has encrypted is reported as unreadable.
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new AppError(
      'UNUSABLE_FOLDER',
      `The session secret in ${path} cannot be read (${codeOf(error)}).`,
    );
  }
}

/**
 * Writes a temporary file, syncs it and links it to its name. When two processes start at once, one link
 * wins the race, and the other process reads that file.
 */
function make(path: string): string {
  const temporaryFile = `${path}-${randomBytes(8).toString('hex')}`;
  const file = openSync(temporaryFile, 'wx', 0o600);
  writeSync(file, randomBytes(32).toString('base64url'));
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(temporaryFile, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporaryFile);
  }
  return read(path) ?? '';
}
