/** Makes backups: one consistent file, verified before it gets its final name. */

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  deleteAbandonedFiles,
  discard,
  publish,
  requireFreeBytes,
  sizeOf,
  temporaryFileOf,
} from '../../database/files.ts';
import { AppError } from '../../errors.ts';
import { backupFolder, databaseFile, requireContent } from '../../stores/data-folder.ts';
import { type DatabaseLocation, shareWithSite } from '../../stores/stores.ts';
import { copyServer } from '../transfer/server.ts';
import { copyDatabase, type ReadBack, readBack, trimCopy } from './copy-sqlite.ts';

export interface Backup extends ReadBack {
  file: string;
  bytes: number;
}

/**
 * Backs up the running site into `file`, a SQLite database whichever engine the site uses. The file
 * appears atomically, complete on disk and readable by its owner only. Throws `UNUSABLE_BACKUP`.
 */
export async function makeBackup({
  location,
  file,
  now,
}: {
  /** The database of the site. */
  location: DatabaseLocation;
  file: string;
  /** Milliseconds since 1970, UTC. */
  now: number;
}): Promise<Backup> {
  const { DATABASE_URL: url, DATA_DIR: folder } = location;
  if (url === undefined) requireContent(folder);
  if (url === undefined && !existsSync(databaseFile(folder))) {
    throw new AppError(
      'UNUSABLE_BACKUP',
      `There is nothing in ${folder} to back up: the site was never started.`,
    );
  }
  const target = dirname(file);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  if (target === backupFolder(folder)) deleteAbandonedFiles(target, now);
  // The size of a copy from PostgreSQL is not known in advance.
  requireFreeBytes(target, url === undefined ? sizeOf(databaseFile(folder)) : 0);
  const temporaryFile = temporaryFileOf(file);
  try {
    await (url === undefined ? copyFolder(folder, temporaryFile) : copyServer(url, temporaryFile));
    await trimCopy(temporaryFile);
    const verified = await readBack(temporaryFile);
    publish(temporaryFile, file);
    return { ...verified, file, bytes: sizeOf(file) };
  } finally {
    discard(temporaryFile);
  }
}

async function copyFolder(folder: string, target: string): Promise<void> {
  const release = await shareWithSite(folder);
  try {
    await copyDatabase(databaseFile(folder), target);
  } finally {
    release();
  }
}
