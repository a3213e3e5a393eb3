import { salesCsv } from '../analytics/csv-formats.ts';
import type { Conversion } from '../analytics/store.ts';
import { type Command, counted, grouped, printLine, type Stores, withStores } from './command.ts';
import { fileToRead, refuseFaults } from './csv-file.ts';
import { readSales } from './sales-file.ts';

/** Sales that are on their way to the disk together. */
const batchLength = 500;

export const conversionsImport: Command = {
  name: 'conversions import',
  takes: '<file.csv | ->',
  summary:
    'Takes sales from a CSV file; of one that is there already it takes what was refunded since.',
  details: [
    `The first line names the columns: ${salesCsv.columns.join(', ')}.`,
    'id         the checkout’s own id: the same id twice is the same sale',
    'amount     in cents: 4900 is $49.00',
    'currency   such as USD',
    'timestamp  such as 2026-01-31T09:30:00Z; when left out, the sale is dated now',
    'refunded   how much of the amount was given back, in cents; disputed: how much may still be',
    'Every line is checked first. When one is wrong, nothing is imported.',
    '- reads standard input.',
  ],

  async run(args, io) {
    const bytes = fileToRead(args, io, 'conversions import sales.csv');
    const { sales, faults } = await readSales(bytes, io.now());
    refuseFaults(faults);
    const imported = await withStores(io, (stores) => add(sales, stores));
    const { added, refunds } = imported;
    const known = sales.length - added - refunds;
    printLine(
      io.stdout,
      [
        `${grouped(added)} imported`,
        ...(refunds > 0 ? [`${counted(refunds, 'refund')} added`] : []),
        `${grouped(known)} already there`,
      ].join(', '),
    );
  },
};

/** Returns how many were new, and of how many known ones more was given back. */
async function add(sales: Conversion[], { analytics }: Stores) {
  let [added, refunds] = [0, 0];
  for (let i = 0; i < sales.length; i += batchLength) {
    const batch = sales.slice(i, i + batchLength);
    const results = await Promise.all(batch.map((sale) => analytics.addConversion(sale)));
    added += results.filter((result) => result === 'new').length;
    refunds += results.filter((result) => result === 'refund').length;
  }
  return { added, refunds };
}
