/** The backup catalog: the backups in a data folder, and their retention. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backupFolder } from '../../stores/data-folder.ts';
import { valuedRowsIn } from './copy-sqlite.ts';

/** How many nightly backups are kept. */
export const nightsKept = 14;

const nightlyName = /^nightly-\d{4}-\d{2}-\d{2}\.db$/;

export interface CatalogEntry {
  file: string;
  bytes: number;
  /** When it was made, milliseconds since 1970, UTC. */
  at: number;
}

/** Path of the nightly backup, named by the date in the server's time zone. */
export function nightlyFile(folder: string, now: number): string {
  const date = new Date(now);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const name = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return join(backupFolder(folder), `nightly-${name}.db`);
}

/** Path of a backup that the owner makes by hand, named by the time in UTC. */
export const manualFile = (folder: string, now: number) =>
  join(backupFolder(folder), `backup-${timestampOf(now)}.db`);

/** Formats milliseconds since 1970 for file names: 2026-11-21T02-30-00Z. */
export const timestampOf = (now: number) =>
  `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** Lists the backups in the data folder, newest first. */
export function backupsIn(folder: string): CatalogEntry[] {
  const backups = backupFolder(folder);
  if (!existsSync(backups)) return [];
  return readdirSync(backups)
    .filter((name) => name.endsWith('.db'))
    .flatMap((name) => {
      const file = join(backups, name);
      // Another process may delete old backups at the same time.
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats ? { file, bytes: stats.size, at: stats.mtimeMs } : [];
    })
    .sort((a, b) => b.at - a.at);
}

/**
 * Deletes the oldest nightly backups beyond `nightsKept`, except the newest with at least twice the rows of
 * `newest`, so that nights of an emptied site do not replace it; without one, except the newest whose rows cannot be
 * counted. It never deletes `newest`, because a wrong clock can give it an old date.
 */
export async function deleteOldBackups(folder: string, newest: string): Promise<void> {
  const others = backupsIn(folder)
    .map(({ file }) => file)
    .filter((file) => nightlyName.test(basename(file)) && file !== newest)
    .sort((a, b) => basename(b).localeCompare(basename(a)));
  const old = others.slice(nightsKept - 1);
  if (old.length === 0) return;
  const full = await newestWithRows(others, Math.max(1, 2 * ((await valuedRowsIn(newest)) ?? 0)));
  for (const file of old) if (file !== full) rmSync(file, { force: true });
}

/** The first of these files with so many rows; otherwise the first whose rows cannot be counted. */
async function newestWithRows(files: readonly string[], rows: number): Promise<string | undefined> {
  let uncounted: string | undefined;
  for (const file of files) {
    const found = await valuedRowsIn(file);
    if (found === undefined) uncounted ??= file;
    else if (found >= rows) return file;
  }
  return uncounted;
}
