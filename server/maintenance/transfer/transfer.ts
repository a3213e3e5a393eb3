/** Moves a site to another database, of either engine, and verifies that nothing was lost. */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database, Reader } from '../../database/database.ts';
import {
  discard,
  discardTemporaryFilesOf,
  publish,
  requireFreeBytes,
  temporaryFileOf,
} from '../../database/files.ts';
import { migrate } from '../../database/migrate.ts';
import { lockFolder } from '../../database/sqlite/folder-lock.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { isUnfinished } from '../../database/unfinished.ts';
import { AppError } from '../../errors.ts';
import { databaseFile, prepareFolder, requireContent } from '../../stores/data-folder.ts';
import { type DatabaseLocation, nameOf } from '../../stores/stores.ts';
import { type Content, contentsOf } from './copy.ts';
import { withServer } from './server.ts';
import { fillFile, fillServer } from './target.ts';

/**
 * Copies the site at `from` to `to`, reads every row back, and resolves with the copied tables. Throws `TRANSFER_REFUSED` when that is not possible
 * or the copy differs, and `FOLDER_IN_USE` while a program uses the data folder. The source never changes.
 */
export async function transferSite({
  from,
  to,
}: {
  from: DatabaseLocation;
  to: DatabaseLocation;
}): Promise<Content[]> {
  const { DATABASE_URL: url } = to;
  return withSource(from, async (source) => {
    const check = (target: Database, copied: Content[]) => verify(source, target, copied);
    if (url === undefined) return intoFolder(source, to.DATA_DIR, check);
    const isSource = () => source.live.read(isUnfinished);
    return fillServer(source.snapshot, { url, name: nameOf(to), isSource }, check);
  });
}

interface Source {
  /** A snapshot, which the copy is made from. */
  snapshot: Reader;
  /** The current state of the database. */
  live: Database;
}

/** Opens the source; a data folder is locked while `work` runs. */
async function withSource<T>(
  location: DatabaseLocation,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL: url, DATA_DIR: folder } = location;
  if (url !== undefined) return withServer(url, (snapshot, live) => work({ snapshot, live }));
  requireContent(folder);
  if (!existsSync(databaseFile(folder))) {
    throw new AppError(
      'TRANSFER_REFUSED',
      `There is nothing in ${folder} to move: the site was never started.`,
    );
  }
  prepareFolder(folder);
  const release = lockFolder(folder);
  try {
    const database = openSqlite(databaseFile(folder));
    try {
      await migrate(database);
      // The folder is locked exclusively, so the live database is a snapshot.
      return await work({ snapshot: database, live: database });
    } finally {
      await database.close();
    }
  } finally {
    release();
  }
}

/** Creates the database of a folder that has none, atomically. */
async function intoFolder<T>(
  source: Source,
  folder: string,
  check: (target: Database, copied: Content[]) => Promise<T>,
): Promise<T> {
  prepareFolder(folder);
  const release = lockFolder(folder);
  const live = databaseFile(folder);
  const temporaryFile = temporaryFileOf(live);
  try {
    // SQLite would apply a leftover write-ahead log to the new database.
    if (existsSync(live) || existsSync(`${live}-wal`)) {
      throw new AppError(
        'TRANSFER_REFUSED',
        `There is a database in ${folder} already, or the log of one, and a move does not mix with it. ` +
          `Please put the files ${basename(live)}* aside, or set DATA_DIR to an empty folder.`,
      );
    }
    // This process holds the lock, so these files come from interrupted transfers.
    discardTemporaryFilesOf(live);
    requireFreeBytes(folder, 0);
    const checked = await fillFile(source.snapshot, temporaryFile, check);
    publish(temporaryFile, live);
    return checked;
  } finally {
    discard(temporaryFile);
    release();
  }
}

/** Compares the digest of every table with the copied rows; resolves with them. */
async function verify(source: Source, target: Database, copied: Content[]): Promise<Content[]> {
  const differing = tablesThatDiffer(await contentsOf(target), copied);
  if (differing.length > 0) {
    const names = differing.map(({ table }) => table).join(', ');
    throw new AppError(
      'TRANSFER_REFUSED',
      `The copy of these tables differs: ${names}. The site is unchanged. ` +
        'Please make sure that no program uses either database, and move once more.',
    );
  }
  if (await hasChanged(source.live, copied)) {
    throw new AppError(
      'TRANSFER_REFUSED',
      'The site wrote to its database while it was copied, and the copy lacks that. ' +
        'Please stop every instance of it, and move once more.',
    );
  }
  return copied;
}

/** Compares every row on PostgreSQL again. A SQLite file was locked while it was copied. */
async function hasChanged(source: Database, copied: Content[]): Promise<boolean> {
  if (source.engine === 'sqlite') return false;
  return tablesThatDiffer(await contentsOf(source), copied).length > 0;
}

/** Returns the tables whose row count or digest differs. */
const tablesThatDiffer = (found: Content[], copied: Content[]): Content[] =>
  copied.filter(({ rows, digest }, i) => found[i]?.rows !== rows || found[i]?.digest !== digest);
