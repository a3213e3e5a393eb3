/** Saves the data of an open database whose files were deleted or replaced while it was open. */
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import {
  discard,
  freeBytesIn,
  publish,
  requireFreeBytes,
  sync,
  temporaryFileOf,
} from '../files.ts';
import type { OpenFiles } from './open-files.ts';
import { checkpoint, dataVersion } from './write-ahead-log.ts';

/** Whether a file among the backups is one of those that `rescue` keeps there. */
export const isRescued = (file: string) => /^rescued-.*\.db$/.test(basename(file));

/** The newest of them; undefined if there is none. */
export function newestRescued(backups: string): string | undefined {
  if (!existsSync(backups)) return undefined;
  const name = readdirSync(backups).filter(isRescued).sort().at(-1);
  return name && join(backups, name);
}

/**
 * Writes all that the connection sees into a new file, and makes it the database at `path`, when no other
 * program can have written there. Otherwise it goes into `keepIn` beside other backups, and nothing at
 * `path` is overwritten.
 *
 * Returns the path of the file in `keepIn`, or undefined when the new file is the database. The connection
 * then holds the write lock of the old files, so that no other connection to them commits any more.
 * Throws when nothing could be saved.
 */
export function rescue(
  database: DatabaseSyncInstance,
  {
    path,
    files,
    keepIn,
    freeBytes = freeBytesIn,
  }: {
    path: string;
    files: OpenFiles;
    keepIn: string;
    freeBytes?: ((folder: string) => number) | undefined;
  },
): string | undefined {
  const folder = dirname(path);
  requireFreeBytes(folder, bytesOf(database), freeBytes(folder));
  const temporaryFile = temporaryFileOf(path);
  try {
    // Create it first, so that no other user can read it at any time.
    closeSync(openSync(temporaryFile, 'wx', 0o600));
    const version = dataVersion(database);
    // The log is deleted below. Until the new file has its name, the main file must be complete.
    if (
      files.stateOf('') === 'same' &&
      canInstall(path, files) &&
      files.stateOf('-wal') === 'same'
    ) {
      if (!checkpoint(database, 'PASSIVE')) throw anotherWrites();
      files.accept();
    }
    // The rest of such a file may be in memory.
    if (files.stateOf('-wal') === 'short' || files.stateOf('') === 'overwritten') {
      requireIntegrity(database);
    }
    database.prepare('VACUUM INTO ?').run(temporaryFile);
    sync(temporaryFile);
    database.exec('BEGIN IMMEDIATE');
    if (dataVersion(database) !== version) throw anotherWrites();
    if (canInstall(path, files)) {
      install(temporaryFile, path, files);
      return undefined;
    }
    return keep(temporaryFile, { path, files, keepIn });
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    discard(temporaryFile);
  }
}

/** Whether no other program has put a database at the path, or written to this one past its log. */
function canInstall(path: string, files: OpenFiles): boolean {
  const main = files.stateOf('');
  // A program that opens the database uses the log: one that overwrote the file beside it did not.
  if (main === 'overwritten') return files.lost().join() === path;
  if (main === 'other' || (main === 'same' && !files.isUnwritten())) return false;
  if (files.stateOf('-wal') !== 'other') return true;
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size === 0;
}

function install(temporaryFile: string, path: string, files: OpenFiles): void {
  // SQLite would apply an old log to the new file.
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  if (/same|overwritten/.test(files.stateOf(''))) renameSync(temporaryFile, path);
  // Unlike a rename, a link never overwrites a file that has just been put back.
  else linkSync(temporaryFile, path);
  sync(dirname(path));
}

function keep(
  temporaryFile: string,
  { path, files, keepIn }: { path: string; files: OpenFiles; keepIn: string },
): string {
  mkdirSync(keepIn, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const file = join(keepIn, `rescued-${time}Z.db`);
  publish(temporaryFile, file);
  // The next start would apply this log to the other file.
  for (const suffix of ['-wal', '-shm'] as const) {
    if (files.stateOf('') === 'other' && files.stateOf(suffix) !== 'other') {
      rmSync(path + suffix, { force: true });
    }
  }
  return file;
}

/** Throws unless all pages can still be read: those that were cut off or overwritten may be in memory. */
function requireIntegrity(database: DatabaseSyncInstance): void {
  const [row] = database.prepare('PRAGMA integrity_check(1)').all() as {
    integrity_check: string;
  }[];
  if (row?.integrity_check === 'ok') return;
  throw Object.assign(new Error('a file of the database was cut short or overwritten'), {
    code: 'SQLITE_CORRUPT',
  });
}

/** The error of SQLite for this case: a later attempt can succeed. */
const anotherWrites = () =>
  Object.assign(new Error('another program wrote meanwhile'), { code: 'SQLITE_BUSY' });

/** The size of the database, whose files may be gone. */
function bytesOf(database: DatabaseSyncInstance): number {
  const [row] = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .all() as { bytes: number }[];
  return row?.bytes ?? 0;
}
