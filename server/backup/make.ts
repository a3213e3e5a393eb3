/** Backups: one file, consistent, read back before it gets its name. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { backupFolder, databaseFile } from '../data-folder.ts';
import { shareFolder } from '../database/folder-lock.ts';
import { copyDatabase, type ReadBack, readBack, trimCopy, UnusableBackup } from './copy-sqlite.ts';
import { discard, draftOf, needRoom, publish, sizeOf, sweep } from './files.ts';

export interface Backup extends ReadBack {
  file: string;
  bytes: number;
}

/**
 * Backs the database of the data folder up into `file`, while the site goes on. The file is there whole,
 * on disk and for its owner's eyes only, or it is not there. Throws `UnusableBackup` with the reason.
 */
export async function makeBackup({
  folder,
  file,
  now,
}: {
  folder: string;
  file: string;
  /** Milliseconds since 1970, UTC. */
  now: number;
}): Promise<Backup> {
  const source = databaseFile(folder);
  if (!existsSync(source)) {
    throw new UnusableBackup(
      `There is nothing in ${folder} to back up: the site was never started.`,
    );
  }
  const place = dirname(file);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  if (place === backupFolder(folder)) sweep(place, now);
  needRoom(place, sizeOf(source));
  const draft = draftOf(file);
  const leave = shareFolder(folder);
  try {
    await copyDatabase(source, draft);
    await trimCopy(draft);
    const found = await readBack(draft);
    publish(draft, file);
    return { ...found, file, bytes: sizeOf(file) };
  } finally {
    leave();
    discard(draft);
  }
}
