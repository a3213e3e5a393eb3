import { activityCsv } from '../../analytics/bulk/activity-csv.ts';
import { pluralize } from '../../contract/numbers.ts';
import type { Stores } from '../../stores/stores.ts';
import { dayMs } from '../../time/units.ts';
import { type Command, type Io, printLine, withStores } from '../command.ts';
import { exportRows, outputDetails } from './csv-file.ts';

export const activityExport: Command = {
  name: 'activity export',
  usage: '[file.csv | -]',
  summary: 'Exports every counted view, click, opened checkout and booked call as CSV.',
  details: [
    'Oldest first, in the format that `activity import` reads. It does not identify visitors.',
    ...outputDetails,
    'Together with `conversions export` it holds everything that the visit and sales figures are made of.',
    'Rows that KEEP_ACTIVITY_DAYS has deleted are not in the file; the command says how many.',
  ],

  run: (args, io) =>
    withStores(io, async (stores) => {
      // Counted before the export: rows that arrive in between can only add to the file.
      const known = await countedRows(stores, io);
      const n = await exportRows(args, io, {
        rows: stores.analytics.allEvents(),
        format: activityCsv,
        describe: (n) => pluralize(n, 'row'),
      });
      if (n >= known) return;
      const deleted = pluralize(known - n, 'older row was', 'older rows were');
      printLine(io.stderr, `${deleted} deleted (KEEP_ACTIVITY_DAYS) and cannot be exported.`);
    }),
};

/** Number of activity rows according to the counters, deleted rows included. */
export async function countedRows({ analytics }: Stores, { now }: Io): Promise<number> {
  // Two days beyond now, since the clock may have been ahead.
  const window = { from: 0, to: now() + 2 * dayMs };
  const { pageViews, ctaClicks, checkoutOpens, callsBooked } = await analytics.totals(window);
  return pageViews + ctaClicks + checkoutOpens + callsBooked;
}
