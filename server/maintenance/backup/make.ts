/** Backups: one file, consistent, read back before it gets its name. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { backupFolder, databaseFile } from '../../app/data-folder.ts';
import type { DatabaseLocation } from '../../app/stores.ts';
import { shareFolder } from '../../database/sqlite/folder-lock.ts';
import { copyServer } from '../transfer/server.ts';
import { copyDatabase, type ReadBack, readBack, trimCopy, UnusableBackup } from './copy-sqlite.ts';
import { discard, publish, requireFreeBytes, sizeOf, sweep, temporaryFileOf } from './files.ts';

export interface Backup extends ReadBack {
  file: string;
  bytes: number;
}

/**
 * Backs the site up into `file`, the same kind of file whichever engine it is on, while the site goes on.
 * The file is there whole, on disk and for its owner's eyes only, or it is not there. Throws
 * `UnusableBackup` with the reason.
 */
export async function makeBackup({
  place,
  file,
  now,
}: {
  /** Where the site keeps everything. */
  place: DatabaseLocation;
  file: string;
  /** Milliseconds since 1970, UTC. */
  now: number;
}): Promise<Backup> {
  const { DATABASE_URL: url, DATA_DIR: folder } = place;
  if (url === undefined && !existsSync(databaseFile(folder))) {
    throw new UnusableBackup(
      `There is nothing in ${folder} to back up: the site was never started.`,
    );
  }
  const shelf = dirname(file);
  mkdirSync(shelf, { recursive: true, mode: 0o700 });
  if (shelf === backupFolder(folder)) sweep(shelf, now);
  // Nobody knows what a server's rows will come to as a file.
  requireFreeBytes(shelf, url === undefined ? sizeOf(databaseFile(folder)) : 0);
  const draft = temporaryFileOf(file);
  try {
    await (url === undefined ? copyFolder(folder, draft) : copyServer(url, draft));
    await trimCopy(draft);
    const found = await readBack(draft);
    publish(draft, file);
    return { ...found, file, bytes: sizeOf(file) };
  } finally {
    discard(draft);
  }
}

async function copyFolder(folder: string, draft: string): Promise<void> {
  const leave = shareFolder(folder);
  try {
    await copyDatabase(databaseFile(folder), draft);
  } finally {
    leave();
  }
}
