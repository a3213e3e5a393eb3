/** Reports files of the database that another program deleted, replaced or changed while the site was running. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { newestRescued } from '../database/sqlite/rescue.ts';
import type { Recovery } from '../database/sqlite/sqlite.ts';
import type { Log } from '../log.ts';
import { dayMs } from '../time/units.ts';
import { sentenceFor } from './storage-errors.ts';

/** How long the owner hears of a loss, in ms. */
const shownMs = 7 * dayMs;

const lastLoss = z.object({
  /** Milliseconds since 1970, UTC. */
  at: z.number(),
  /** The names of the lost files. */
  files: z.array(z.string()),
  /** Why their data could not be saved, as a sentence for the owner; undefined once it was. */
  failure: z.string().optional(),
});

type LastLoss = z.infer<typeof lastLoss>;

/** The record of the last loss, for later processes and commands. */
export const lastLossFile = (folder: string) => join(folder, 'last-loss.json');

/** Reports losses to the log and to the owner. */
export function createLossReport({
  folder,
  now,
  log,
}: {
  folder: string;
  now: () => number;
  log: Log;
}): Pick<Recovery, 'onLoss' | 'onReturn'> {
  const record = (files: string[], failure?: string) => {
    const loss: LastLoss = { at: now(), files: files.map((file) => basename(file)), failure };
    try {
      writeFileSync(lastLossFile(folder), `${JSON.stringify(loss)}\n`, { mode: 0o600 });
    } catch (error) {
      log.error({ error }, 'database files: the loss could not be recorded for the owner');
    }
  };
  const forget = () => rmSync(lastLossFile(folder), { force: true });
  return {
    onLoss({ files, keptIn, error }) {
      if (error !== undefined) {
        log.error({ files, error }, 'database files: lost, and the data could not be saved');
        record(files, sentenceFor(error) ?? String(error));
        return;
      }
      if (keptIn !== undefined) {
        log.error(
          { files, keptIn },
          'database files: lost, saved all data in a backup; restore it or put the database back',
        );
        // The backup says it from here on; an earlier failure is over.
        forget();
        return;
      }
      log.error(
        { files },
        'database files: lost, saved all data in new ones; find what removes them',
      );
      record(files);
    },
    onReturn: forget,
  };
}

/**
 * The alert for the owner: while data that `rescue` kept lies among the backups, or about the loss of the last week.
 *
 * @param options.format writes a time, milliseconds since 1970, UTC
 */
export function lossAlert(
  { folder, backups }: { folder: string; backups: string },
  { now, format }: { now: number; format: (at: number) => string },
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
  const { at, files, failure } = last;
  const verb = files.length === 1 ? 'was' : 'were';
  const what = `${format(at)}: ${files.join(', ')} in DATA_DIR ${verb} deleted, replaced or changed while the site was running`;
  if (failure !== undefined) {
    return (
      `${what}, and the site could not save its data. ${failure} It tries again each minute. ` +
      'If it was restarted since, restore the newest backup: npm run admin -- restore lists them.'
    );
  }
  return (
    `${what}. The site saved all its data again. If you ran a command at that time, check its effect. Find what did it: ` +
    'shingle.db, shingle.db-wal and shingle.db-shm belong together. To hide this, delete last-loss.json there.'
  );
}

function readLastLoss(folder: string): LastLoss | undefined {
  try {
    return lastLoss.parse(JSON.parse(readFileSync(lastLossFile(folder), 'utf8')));
  } catch {
    return undefined;
  }
}
