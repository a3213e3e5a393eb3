/** Makes a backup for a download. Its file is deleted while it is open, so that none stays behind. */
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  discardTemporaryFilesOf,
  requireFreeBytes,
  sizeOf,
  temporaryFileOf,
} from '../../database/files.ts';
import { sentenceFor } from '../../health/storage-errors.ts';
import { backupFolder, databaseFile } from '../../stores/data-folder.ts';
import type { DatabaseLocation } from '../../stores/stores.ts';
import { manualFile } from './catalog.ts';

/** Makes a verified backup at this path. */
export type BackUpTo = (file: string, signal: AbortSignal) => Promise<void>;

export interface OpenBackup {
  /** The name to save it under. */
  name: string;
  bytes: number;
  /** The file, which no longer has a name. Its reader closes it. */
  file: FileHandle;
}

/** What to do before a download can be made: undefined while the disk has room for it. */
export function downloadProblem({ DATABASE_URL: url, DATA_DIR: folder }: DatabaseLocation) {
  try {
    if (url === undefined) requireFreeBytes(folder, sizeOf(databaseFile(folder)));
    else requireFreeBytes(tmpdir(), 0);
    return undefined;
  } catch (error) {
    return sentenceFor(error);
  }
}

/** Returns the function that makes a backup and opens it. Aborted by its signal, it leaves nothing behind. */
export function createBackupDownload({
  location,
  backUpTo,
  now,
}: {
  location: DatabaseLocation;
  backUpTo: BackUpTo;
  now: () => number;
}) {
  return async (signal: AbortSignal): Promise<OpenBackup> => {
    const name = basename(manualFile('', now()));
    const isInFolder = location.DATABASE_URL === undefined;
    // With PostgreSQL there may be no data folder.
    const folder = isInFolder
      ? backupFolder(location.DATA_DIR)
      : await mkdtemp(join(tmpdir(), 'shingle-'));
    if (isInFolder) mkdirSync(folder, { recursive: true, mode: 0o700 });
    // After a crash, the next backup deletes an old file of such a name.
    const path = temporaryFileOf(join(folder, name));
    try {
      await backUpTo(path, signal);
      signal.throwIfAborted();
      const file = await open(path);
      return { name, bytes: (await file.stat()).size, file };
    } finally {
      discardTemporaryFilesOf(path);
      rmSync(isInFolder ? path : folder, { force: true, recursive: true });
    }
  };
}
