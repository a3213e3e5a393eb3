/** Puts a backup in the place of a data folder's database, which is kept aside. */
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { closeToOthers, databaseFile, prepareFolder } from '../../app/data-folder.ts';
import { lockFolder } from '../../database/sqlite/folder-lock.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { stampOf } from './catalog.ts';
import {
  copyDatabase,
  type ReadBack,
  readBack,
  trimCopy,
  UnusableBackup,
  upgradeCopy,
} from './copy-sqlite.ts';
import {
  discard,
  discardTemporaryFilesOf,
  publish,
  requireFreeBytes,
  sizeOf,
  sync,
  temporaryFileOf,
} from './files.ts';

export interface Restored extends ReadBack {
  /** Where the database of before is; undefined: there was none. */
  aside: string | undefined;
}

/**
 * Restores `file` into the data folder. Whatever ends it half-way, the folder holds the database of
 * before or the restored one, whole. Throws `FolderInUse` while a program works there, and
 * `UnusableBackup` when the file is none of ours, is damaged, or is of a newer version.
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
  const leave = lockFolder(folder);
  const live = databaseFile(folder);
  const draft = temporaryFileOf(live);
  try {
    // Nobody else is here: drafts are of restores that did not come to their end.
    discardTemporaryFilesOf(live);
    requireFreeBytes(folder, sizeOf(file));
    await readBack(file);
    await copyDatabase(file, draft);
    await upgradeCopy(draft);
    await trimCopy(draft);
    const found = await readBack(draft);
    const aside = await putAside(folder, now);
    publish(draft, live);
    return { ...found, aside };
  } finally {
    discard(draft);
    leave();
  }
}

/**
 * Gives the database of before a second name in a folder of its own, so that it is there under its
 * first one until the new one takes that. Its log goes with it: the new database must find none.
 */
async function putAside(folder: string, now: number): Promise<string | undefined> {
  const live = databaseFile(folder);
  if (!existsSync(live)) return undefined;
  closeToOthers(live);
  await trimSound(live);
  await emptyLog(live);
  const aside = freshFolder(join(folder, `before-restore-${stampOf(now)}`));
  for (const path of [live, `${live}-wal`]) {
    if (existsSync(path) && statSync(path).size > 0) keep(path, join(aside, basename(path)));
  }
  sync(aside);
  sync(folder);
  for (const ending of ['-wal', '-shm']) rmSync(live + ending, { force: true });
  sync(folder);
  return aside;
}

/**
 * What is put aside lives on for as long as a backup, and is trimmed like one: before it has a second
 * name, under which its journal would not be found after a power cut.
 */
async function trimSound(file: string): Promise<void> {
  try {
    await readBack(file);
    await trimCopy(file);
  } catch {
    // Nothing is written to a damaged one: that could make it worse.
  }
}

/** Brings what waits in the log into the database; a damaged one keeps it beside itself. */
async function emptyLog(file: string): Promise<void> {
  try {
    const database = openSqlite(file);
    try {
      await database.wipeDeletedRows();
    } finally {
      await database.close();
    }
  } catch {
    // It is kept as it is found: damage is why backups are restored.
  }
}

function freshFolder(wanted: string): string {
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? wanted : `${wanted}-${n}`;
    if (existsSync(path)) continue;
    mkdirSync(path, { mode: 0o700 });
    return path;
  }
}

function keep(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch {
    // Some file systems know one name for each file.
    copyFileSync(path, name, constants.COPYFILE_EXCL);
    sync(name);
  }
}

/** The file that the owner means: as named, or one of the data folder's backups. */
export function findBackup(path: string, shelf: string): string {
  for (const file of [path, join(shelf, basename(path))]) {
    if (existsSync(file) && statSync(file).isFile()) return file;
  }
  throw new UnusableBackup(
    `There is no file ${path}, nor one of that name among the backups. npm run admin -- restore lists the backups there are.`,
  );
}
