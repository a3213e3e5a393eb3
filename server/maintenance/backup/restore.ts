/** Restores a backup into a data folder, and keeps the previous database beside it. */

import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  discard,
  discardTemporaryFilesOf,
  publish,
  requireFreeBytes,
  sizeOf,
  sync,
  temporaryFileOf,
} from '../../database/files.ts';
import { lockFolder } from '../../database/sqlite/folder-lock.ts';
import { isRescued } from '../../database/sqlite/rescue.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { AppError } from '../../errors.ts';
import { lastLossFile } from '../../health/file-loss.ts';
import {
  backupFolder,
  closeToOthers,
  databaseFile,
  prepareFolder,
} from '../../stores/data-folder.ts';
import { timestampOf } from './catalog.ts';
import { copyDatabase, type ReadBack, readBack, trimCopy, upgradeCopy } from './copy-sqlite.ts';

export interface Restored extends ReadBack {
  /** Folder of the previous database; undefined: there was none. */
  aside: string | undefined;
  /** Whether the file was deleted. */
  isDeleted: boolean;
}

/**
 * Restores `file` into the data folder. An interruption at any point leaves the previous or the restored
 * database, complete. Throws `FOLDER_IN_USE` while a program works there, and `UNUSABLE_BACKUP` when the
 * file is not a backup, is damaged, or has a newer schema.
 */
export async function restoreBackup({
  folder,
  file,
  now,
}: {
  folder: string;
  file: string;
  /** Milliseconds since 1970, UTC. */
  now: number;
}): Promise<Restored> {
  prepareFolder(folder);
  const release = lockFolder(folder);
  const live = databaseFile(folder);
  const temporaryFile = temporaryFileOf(live);
  try {
    // This process holds the lock, so these files come from interrupted restores.
    discardTemporaryFilesOf(live);
    requireFreeBytes(folder, sizeOf(file));
    await readBack(file);
    await copyDatabase(file, temporaryFile);
    await upgradeCopy(temporaryFile);
    await trimCopy(temporaryFile);
    const verified = await readBack(temporaryFile);
    const aside = await putAside(folder, now);
    publish(temporaryFile, live);
    // Otherwise the alerts that ask for this would stay.
    rmSync(lastLossFile(folder), { force: true });
    const isDeleted = isRescued(file) && resolve(dirname(file)) === resolve(backupFolder(folder));
    if (isDeleted) rmSync(file);
    return { ...verified, aside, isDeleted };
  } finally {
    discard(temporaryFile);
    release();
  }
}

/**
 * Hard-links the previous database into a folder of its own, so that its original name stays valid until
 * the new file replaces it. The log moves along, because SQLite would apply it to the new database.
 */
async function putAside(folder: string, now: number): Promise<string | undefined> {
  const live = databaseFile(folder);
  if (!existsSync(live)) return undefined;
  closeToOthers(live);
  await trimIfIntact(live);
  await emptyLog(live);
  const aside = createFolder(join(folder, `before-restore-${timestampOf(now)}`));
  for (const path of [live, `${live}-wal`]) {
    if (existsSync(path) && statSync(path).size > 0) linkOrCopy(path, join(aside, basename(path)));
  }
  sync(aside);
  sync(folder);
  for (const suffix of ['-wal', '-shm']) rmSync(live + suffix, { force: true });
  sync(folder);
  return aside;
}

/**
 * Trims the previous database like a backup, because it is stored as long as one. This must happen before
 * it gets a second name: after a power cut SQLite finds the journal by the first name only.
 */
async function trimIfIntact(file: string): Promise<void> {
  try {
    await readBack(file);
    await trimCopy(file);
  } catch {
    // Do not write to a damaged database: that could damage it further.
  }
}

/** Moves the write-ahead log into the database. A damaged database keeps its log. */
async function emptyLog(file: string): Promise<void> {
  try {
    const database = openSqlite(file);
    try {
      await database.wipeDeletedRows();
    } finally {
      await database.close();
    }
  } catch {
    // Leave it as it is: a damaged database is a reason to restore a backup.
  }
}

/** Creates a folder of this name, with a number appended if it exists; returns its path. */
function createFolder(name: string): string {
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? name : `${name}-${n}`;
    if (existsSync(path)) continue;
    mkdirSync(path, { mode: 0o700 });
    return path;
  }
}

function linkOrCopy(path: string, target: string): void {
  try {
    linkSync(path, target);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(path, target, constants.COPYFILE_EXCL);
    sync(target);
  }
}

/** Returns the file at `path`, or the one of that name in the folder of backups. Throws `UNUSABLE_BACKUP`. */
export function findBackup(path: string, backups: string): string {
  for (const file of [path, join(backups, basename(path))]) {
    if (existsSync(file) && statSync(file).isFile()) return file;
  }
  throw new AppError(
    'UNUSABLE_BACKUP',
    `There is no file ${path}, nor one of that name among the backups. npm run admin -- restore lists the backups there are.`,
  );
}
