import { salesCsv } from '../analytics/csv-formats.ts';
import { type Command, counted, withStores } from './command.ts';
import { exportRows } from './csv-file.ts';

export const conversionsExport: Command = {
  name: 'conversions export',
  takes: '[file.csv | -]',
  summary: 'Writes every sale as CSV, the oldest first, as `conversions import` reads it.',
  details: [
    'Without a file it writes to standard output; then use npm run --silent admin -- …,',
    'because npm writes two lines of its own there. A file that exists is not touched.',
    'What a spreadsheet would take for a formula gets an apostrophe before it, also within a text,',
    'which `conversions import` takes away again.',
  ],

  run: (args, io) =>
    withStores(io, async ({ analytics }) => {
      await exportRows(args, io, {
        rows: analytics.allConversions(),
        format: salesCsv,
        say: (n) => counted(n, 'sale'),
      });
    }),
};
