import { activityCsv } from '../analytics/csv-formats.ts';
import { type Command, counted, type Io, printLine, type Stores, withStores } from './command.ts';
import { exportRows } from './csv-file.ts';

const day = 24 * 60 * 60_000;

export const activityExport: Command = {
  name: 'activity export',
  takes: '[file.csv | -]',
  summary: 'Writes every counted view, click, opened checkout and booked call as CSV.',
  details: [
    'The oldest first, as `activity import` reads it. It names nobody: there is nobody to name.',
    'Without a file it writes to standard output; then use npm run --silent admin -- …,',
    'because npm writes two lines of its own there. A file that exists is not touched.',
    'With `conversions export` it is all that the figures of visits and sales are made of. Rows that',
    'KEEP_ACTIVITY_DAYS has let go of are counted here and not in the file; it says how many.',
  ],

  run: (args, io) =>
    withStores(io, async (stores) => {
      // Asked first: what comes in meanwhile is in the file at most.
      const known = await countedRows(stores, io);
      const n = await exportRows(args, io, {
        rows: stores.analytics.allMarks(),
        format: activityCsv,
        say: (n) => counted(n, 'row'),
      });
      if (n >= known) return;
      const gone = counted(known - n, 'older row was', 'older rows were');
      printLine(io.stderr, `${gone} let go of (KEEP_ACTIVITY_DAYS) and cannot be in the file.`);
    }),
};

/** How many rows of activity the counters know of. */
export async function countedRows({ analytics }: Stores, { now }: Io): Promise<number> {
  // A clock may have been ahead.
  const window = { from: 0, to: now() + 2 * day };
  const { pageViews, ctaClicks, checkoutOpens, callsBooked } = await analytics.totals(window);
  return pageViews + ctaClicks + checkoutOpens + callsBooked;
}
