/** Reports files of the database that another program deleted, replaced or damaged while the site was running. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { newestRescued } from '../database/sqlite/rescue.ts';
import type { FileLoss } from '../database/sqlite/sqlite.ts';
import type { Log } from '../log.ts';

/** The last loss whose data is in the database again: milliseconds since 1970, UTC, and the names of the files. */
const lastLoss = z.object({ at: z.number(), files: z.array(z.string()) });

const lastLossFile = (folder: string) => join(folder, 'last-loss.json');

/** Records losses in the log and, for later processes and commands, in the data folder. */
export const createLossReport =
  ({ folder, now, log }: { folder: string; now: () => number; log: Log }) =>
  ({ files, keptIn, error }: FileLoss): void => {
    // While nothing is saved, the alert about storage says so.
    if (error !== undefined) {
      log.error({ files, error }, 'database files: lost, and the data could not be saved');
      return;
    }
    if (keptIn !== undefined) {
      log.error(
        { files, keptIn },
        'database files: lost, saved all data in a backup; restore it or put the database back',
      );
      return;
    }
    log.error(
      { files },
      'database files: lost, saved all data in new ones; find what removes them',
    );
    const record = { at: now(), files: files.map((file) => basename(file)) };
    try {
      writeFileSync(lastLossFile(folder), `${JSON.stringify(record)}\n`, { mode: 0o600 });
    } catch (error) {
      log.error({ error }, 'database files: the loss could not be recorded for the owner');
    }
  };

/**
 * The alert for the owner: while data that `rescue` kept lies among the backups, or a loss is younger than
 * `shownMs`.
 *
 * @param options.format writes a time, milliseconds since 1970, UTC
 */
export function lossAlert(
  { folder, backups }: { folder: string; backups: string },
  { now, shownMs, format }: { now: number; shownMs: number; format: (at: number) => string },
): string | undefined {
  const file = newestRescued(backups);
  if (file !== undefined) {
    return (
      'The database in DATA_DIR was replaced while the site was running. ' +
      `Its data is in ${file}: stop the site, restore that with npm run admin -- restore ${basename(file)}, and start it. ` +
      'If you do not need that data, delete the file.'
    );
  }
  const last = readLastLoss(folder);
  if (last === undefined || now - last.at >= shownMs) return undefined;
  const verb = last.files.length === 1 ? 'was' : 'were';
  return (
    `${format(last.at)}: ${last.files.join(', ')} in DATA_DIR ${verb} deleted, replaced or damaged while the site was running. ` +
    'The site saved all its data again. If you ran a command at that time, check its effect. Find what did it: ' +
    'shingle.db, shingle.db-wal and shingle.db-shm belong together.'
  );
}

function readLastLoss(folder: string): z.infer<typeof lastLoss> | undefined {
  try {
    return lastLoss.parse(JSON.parse(readFileSync(lastLossFile(folder), 'utf8')));
  } catch {
    return undefined;
  }
}
