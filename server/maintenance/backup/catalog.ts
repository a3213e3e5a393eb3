/** The backups in a data folder, and which of them are kept. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backupFolder } from '../../app/data-folder.ts';

/** How many nightly backups are kept. */
export const nightsKept = 14;

const nightlyName = /^nightly-\d{4}-\d{2}-\d{2}\.db$/;

export interface CatalogEntry {
  file: string;
  bytes: number;
  /** When it was made, milliseconds since 1970, UTC. */
  at: number;
}

/** Where the backup of a night belongs, by this machine's calendar. */
export function nightlyFile(folder: string, now: number): string {
  const date = new Date(now);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const name = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return join(backupFolder(folder), `nightly-${name}.db`);
}

/** Where one belongs that the owner asks for, by UTC. */
export const ownFile = (folder: string, now: number) =>
  join(backupFolder(folder), `backup-${stampOf(now)}.db`);

/** A moment (milliseconds since 1970) as files are named by it: 2026-11-21T02-30-00Z. */
export const stampOf = (now: number) =>
  `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** The backups in the data folder, the newest first. */
export function backupsIn(folder: string): CatalogEntry[] {
  const shelf = backupFolder(folder);
  if (!existsSync(shelf)) return [];
  return readdirSync(shelf)
    .filter((name) => name.endsWith('.db'))
    .flatMap((name) => {
      const file = join(shelf, name);
      // Another process may be clearing up.
      const found = statSync(file, { throwIfNoEntry: false });
      return found ? { file, bytes: found.size, at: found.mtimeMs } : [];
    })
    .sort((a, b) => b.at - a.at);
}

/** Deletes the oldest nightly backups beyond those that are kept; never `made`, whatever the clock says. */
export function deleteOldBackups(folder: string, made: string): void {
  const nightly = backupsIn(folder)
    .map(({ file }) => file)
    .filter((file) => nightlyName.test(basename(file)) && file !== made)
    .sort((a, b) => basename(b).localeCompare(basename(a)));
  for (const file of nightly.slice(nightsKept - 1)) rmSync(file, { force: true });
}
