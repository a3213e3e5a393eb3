import { salesCsv } from '../../analytics/bulk/csv-formats.ts';
import type { Conversion } from '../../analytics/store.ts';
import {
  type Command,
  formatNumber,
  pluralize,
  printLine,
  type Stores,
  withStores,
} from '../command.ts';
import { fileToRead, throwOnErrors } from './csv-file.ts';
import { readSales } from './sales-file.ts';

/** Sales that are stored concurrently, so that they share a commit. */
const batchSize = 500;

export const conversionsImport: Command = {
  name: 'conversions import',
  usage: '<file.csv | ->',
  summary: 'Imports sales from a CSV file; for known sales it adds new refunds.',
  details: [
    `The first line names the columns: ${salesCsv.columns.join(', ')}.`,
    'id         the checkout’s own id: the same id twice is the same sale',
    'amount     in cents: 4900 is $49.00',
    'currency   such as USD',
    'timestamp  such as 2026-01-31T09:30:00Z; when left out, the sale is dated now',
    'refunded   refunded part of the amount, in cents; disputed: the part in open disputes',
    'Every line is checked first. If one has an error, nothing is imported.',
    '- reads standard input.',
  ],

  async run(args, io) {
    const bytes = fileToRead(args, io, 'conversions import sales.csv');
    const { sales, errors } = await readSales(bytes, io.now());
    throwOnErrors(errors);
    const { added, refunds } = await withStores(io, (stores) => add(sales, stores));
    const known = sales.length - added - refunds;
    printLine(
      io.stdout,
      [
        `${formatNumber(added)} imported`,
        ...(refunds > 0 ? [`${pluralize(refunds, 'refund')} added`] : []),
        `${formatNumber(known)} already there`,
      ].join(', '),
    );
  },
};

/** Returns how many sales were new, and how many known ones had a new refund. */
async function add(sales: Conversion[], { analytics }: Stores) {
  let [added, refunds] = [0, 0];
  for (let i = 0; i < sales.length; i += batchSize) {
    const batch = sales.slice(i, i + batchSize);
    const results = await Promise.all(batch.map((sale) => analytics.addConversion(sale)));
    added += results.filter((result) => result === 'new').length;
    refunds += results.filter((result) => result === 'refund').length;
  }
  return { added, refunds };
}
