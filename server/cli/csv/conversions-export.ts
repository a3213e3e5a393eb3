import { pluralize } from '../../contract/numbers.ts';
import { salesCsv } from '../../sales/csv.ts';
import { type Command, withStores } from '../command.ts';
import { exportRows, formulaDetail, outputDetails } from './csv-file.ts';

export const conversionsExport: Command = {
  name: 'conversions export',
  usage: '[file.csv | -]',
  summary:
    'Exports every sale as CSV, oldest first, in the format that `conversions import` reads.',
  details: [...outputDetails, formulaDetail, '`conversions import` removes that apostrophe again.'],

  run: (args, io) =>
    withStores(io, async ({ analytics }) => {
      await exportRows(args, io, {
        rows: analytics.allConversions(),
        format: salesCsv,
        describe: (n) => pluralize(n, 'sale'),
      });
    }),
};
