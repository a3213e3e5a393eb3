/** Moves a site from the database it is in to another, of either engine, and proves that nothing was lost. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { databaseFile, prepareFolder } from '../../app/data-folder.ts';
import { type DatabaseLocation, nameOf, storesOn } from '../../app/stores.ts';
import type { Database, Reader } from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { lockFolder } from '../../database/sqlite/folder-lock.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { isUnfinished } from '../../database/unfinished.ts';
import {
  discard,
  discardTemporaryFilesOf,
  publish,
  requireFreeBytes,
  temporaryFileOf,
} from '../backup/files.ts';
import { type AnswersCheck, compareAnswers } from './answers.ts';
import { type Content, contentsOf } from './copy.ts';
import { withServer } from './server.ts';
import { fillFile, fillServer, TransferRefused } from './target.ts';

export interface TransferResult {
  tables: Content[];
  answers: AnswersCheck;
}

/**
 * Moves the site at `from` to `to`. Throws `MoveRefused` when that cannot be done or anything is not the
 * same there, and `FolderInUse` while a program works in the data folder: then the site is where it was,
 * as it was.
 */
export async function transferSite({
  from,
  to,
  now,
}: {
  from: DatabaseLocation;
  to: DatabaseLocation;
  /** Milliseconds since 1970, UTC. */
  now: number;
}): Promise<TransferResult> {
  const { DATABASE_URL: url } = to;
  return withSource(from, async (source) => {
    const check = (target: Database, copied: Content[]) => verify(source, target, { copied, now });
    if (url === undefined) return intoFolder(source, to.DATA_DIR, check);
    const isSource = () => source.live.read(isUnfinished);
    return fillServer(source.still, { url, name: nameOf(to), isSource }, check);
  });
}

interface Source {
  /** The site as it is at one moment. */
  still: Reader;
  /** The database as it is by now. */
  live: Database;
}

/** Opens what is moved, which nobody shall write to meanwhile. */
async function withSource<T>(
  place: DatabaseLocation,
  job: (source: Source) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL: url, DATA_DIR: folder } = place;
  if (url !== undefined) return withServer(url, (still, live) => job({ still, live }));
  if (!existsSync(databaseFile(folder))) {
    throw new TransferRefused(`There is nothing in ${folder} to move: the site was never started.`);
  }
  prepareFolder(folder);
  const leave = lockFolder(folder);
  try {
    const database = openSqlite(databaseFile(folder));
    try {
      await migrate(database);
      // The folder is ours alone: every moment is the same.
      return await job({ still: database, live: database });
    } finally {
      await database.close();
    }
  } finally {
    leave();
  }
}

/** Makes the database of a folder that has none. It is there whole, or not at all. */
async function intoFolder<T>(
  source: Source,
  folder: string,
  check: (target: Database, copied: Content[]) => Promise<T>,
): Promise<T> {
  prepareFolder(folder);
  const leave = lockFolder(folder);
  const live = databaseFile(folder);
  const draft = temporaryFileOf(live);
  try {
    // A log without its database belongs to another, and would be taken for the new one's.
    if (existsSync(live) || existsSync(`${live}-wal`)) {
      throw new TransferRefused(
        `There is a database in ${folder} already, or the log of one, and a move does not mix with it. ` +
          `Please put the files ${basename(live)}* aside, or set DATA_DIR to an empty folder.`,
      );
    }
    // Nobody else is here: drafts are of moves that did not come to their end.
    discardTemporaryFilesOf(live);
    requireFreeBytes(folder, 0);
    const checked = await fillFile(source.still, draft, check);
    publish(draft, live);
    return checked;
  } finally {
    discard(draft);
    leave();
  }
}

/** Reads the copy back, and asks both databases what the owner asks. */
async function verify(
  source: Source,
  target: Database,
  { copied, now }: { copied: Content[]; now: number },
): Promise<TransferResult> {
  const unlike = areUnlike(await contentsOf(target), copied);
  const before = storesOn({ ...source.live, read: source.still.read });
  const answers = await compareAnswers(before, storesOn(target), now);
  const faults = [
    ...unlike.map(({ table }) => `the table ${table} differs`),
    ...(answers.differing.length > 0
      ? [`the dashboard says something else of ${answers.differing.length} windows of time`]
      : []),
    ...(answers.isRestSame ? [] : ['messages or letters are told of in another way']),
    ...(answers.isRecountSame ? [] : ['the figures do not add up in the same way']),
  ];
  if (faults.length > 0) {
    throw new TransferRefused(
      `The copy is not the same: ${faults.join('; ')}. The site is where it was. ` +
        'Please make sure that nothing works on either database, and move once more.',
    );
  }
  if (await hasChanged(source.live, copied)) {
    throw new TransferRefused(
      'The site wrote to its database while it was copied, and the copy lacks that. ' +
        'Please stop every instance of it, and move once more.',
    );
  }
  return { tables: copied, answers };
}

/** A file is locked while it is copied; of a server every row is looked at again. */
async function hasChanged(source: Database, copied: Content[]): Promise<boolean> {
  if (source.engine === 'sqlite') return false;
  return areUnlike(await contentsOf(source), copied).length > 0;
}

/** The tables that hold something else in one than in the other. */
const areUnlike = (found: Content[], copied: Content[]): Content[] =>
  copied.filter(({ rows, digest }, i) => found[i]?.rows !== rows || found[i]?.digest !== digest);
