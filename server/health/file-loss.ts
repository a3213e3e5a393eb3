/** Reports files of the database that another program deleted, moved or replaced while the site was running. */
import { basename } from 'node:path';
import { newestRescued } from '../database/sqlite/rescue.ts';
import type { FileLoss } from '../database/sqlite/sqlite.ts';
import type { Log } from '../log.ts';
import { dayMs } from '../time/units.ts';

/** How long the owner sees the alert, in ms. */
const shownMs = 7 * dayMs;

/** The alert for the owner while data that `rescue` kept lies among the backups. */
export function rescuedAlert(backups: string): string | undefined {
  const file = newestRescued(backups);
  if (file === undefined) return undefined;
  return (
    'The database in DATA_DIR was replaced while the site was running. ' +
    `Its data is in ${file}: stop the site, restore that with npm run admin -- restore ${basename(file)}, and start it. ` +
    'If you do not need that data, delete the file.'
  );
}

export type LossReport = ReturnType<typeof createLossReport>;

export function createLossReport({
  backups,
  timeZone,
  now,
  log,
}: {
  /** The folder of the backups; undefined when PostgreSQL stores the data. */
  backups: string | undefined;
  timeZone: string;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  let last: { at: number; text: string } | undefined;
  return {
    record({ files, keptIn, error }: FileLoss) {
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
      const names = files.map((file) => basename(file)).join(', ');
      const lost = `${format.format(now())}: ${names} in DATA_DIR was deleted, moved, replaced or cut short while the site was running.`;
      last = {
        at: now(),
        text: `${lost} The site saved all its data again. If you ran a command at that time, check its effect. Find what removed it: shingle.db, shingle.db-wal and shingle.db-shm belong together.`,
      };
    },
    /** The alert for the owner; undefined when no data is to be restored, or had to be saved in the last week. */
    alert: () =>
      (backups && rescuedAlert(backups)) ??
      (last && now() - last.at < shownMs ? last.text : undefined),
  };
}
