/** Reports files of the database that another program deleted, moved or replaced while the site was running. */
import { basename } from 'node:path';
import type { FileLoss } from '../database/sqlite/sqlite.ts';
import type { Log } from '../log.ts';
import { dayMs } from '../time/units.ts';

/** How long the owner sees the alert, in ms. */
const shownMs = 7 * dayMs;

export type LossReport = ReturnType<typeof createLossReport>;

export function createLossReport({
  timeZone,
  now,
  log,
}: {
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
      const names = files.map((file) => basename(file)).join(', ');
      const lost = `${format.format(now())}: ${names} in DATA_DIR was deleted, moved or replaced while the site was running.`;
      log.error(
        { files, keptIn },
        keptIn === undefined
          ? 'database files: lost, saved all data in new ones; find what removes them'
          : 'database files: lost, saved all data in a backup; restore it or put the database back',
      );
      const saved =
        keptIn === undefined
          ? 'The site saved all its data again. If you ran a command at that time, check its effect.'
          : `All data is in ${keptIn}: stop the site, restore that with npm run admin -- restore ${basename(keptIn)}, and start it.`;
      last = {
        at: now(),
        text: `${lost} ${saved} Find what removed it: shingle.db, shingle.db-wal and shingle.db-shm belong together.`,
      };
    },
    /** The alert for the owner; undefined when no data had to be saved in the last week. */
    alert: () => (last && now() - last.at < shownMs ? last.text : undefined),
  };
}
