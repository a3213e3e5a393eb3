import { salesCsv } from '../../analytics/bulk/csv-formats.ts';
import { AppError } from '../../errors.ts';
import type { SaleReport } from '../../sales/report-sql.ts';
import { type Command, formatNumber, printLine, type Stores, withStores } from '../command.ts';
import { fileToRead, throwOnErrors } from './csv-file.ts';
import { readSales } from './sales-file.ts';

/** Sales that are stored concurrently, so that they share a commit. */
const batchSize = 500;

export const conversionsImport: Command = {
  name: 'conversions import',
  usage: '<file.csv | ->',
  summary: 'Imports sales from a CSV file; of known sales it updates what was refunded.',
  details: [
    `The first line names the columns: ${salesCsv.columns.join(', ')}.`,
    'id         the checkout’s own id: the same id twice is the same sale',
    'amount     in the currency’s smallest unit: 4900 is $49.00 or ¥4,900',
    'currency   such as USD',
    'timestamp  such as 2026-01-31T09:30:00Z; when left out, the sale is dated now',
    'refunded   refunded part of the amount; disputed: the part in open disputes',
    'as_of      when refunded and disputed were so; without it, a known sale only takes a higher refund',
    'Every line is checked first. If one has an error, nothing is imported.',
    '- reads standard input.',
  ],

  async run(args, io) {
    const bytes = fileToRead(args, io, 'conversions import sales.csv');
    const { sales, errors } = await readSales(bytes, io.now());
    throwOnErrors(errors);
    const { added, changed } = await withStores(io, (stores) => add(sales, stores, io.now()));
    const known = sales.length - added - changed;
    printLine(
      io.stdout,
      [
        `${formatNumber(added)} imported`,
        ...(changed > 0 ? [`${formatNumber(changed)} updated`] : []),
        `${formatNumber(known)} already there`,
      ].join(', '),
    );
  },
};

/** Returns how many sales were new, and of how many known ones something else was returned. */
async function add(reports: SaleReport[], { sales }: Stores, now: number) {
  let [added, changed] = [0, 0];
  const rejected: string[] = [];
  for (let i = 0; i < reports.length; i += batchSize) {
    const batch = reports.slice(i, i + batchSize);
    const results = await Promise.all(batch.map((report) => sales.report(report, now)));
    rejected.push(...batch.filter((_, n) => results[n] === 'otherCurrency').map(({ id }) => id));
    added += results.filter((result) => result === 'new').length;
    changed += results.filter((result) => result === 'changed').length;
  }
  if (rejected.length > 0) {
    throw new AppError(
      'COMMAND_FAILED',
      `These sales are stored in another currency, so their lines were not imported: ${rejected.join(', ')}. Write their amounts in the currency of the sale and import the file again.`,
    );
  }
  return { added, changed };
}
