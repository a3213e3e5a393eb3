import { salesCsv } from '../../analytics/bulk/csv-formats.ts';
import { AppError } from '../../errors.ts';
import type { ReportResult, SaleReport } from '../../sales/report-sql.ts';
import { sentences } from '../../trpc/errors.ts';
import { type Command, formatNumber, printLine, type Stores, withStores } from '../command.ts';
import { fileErrors, fileToRead, throwOnErrors } from './csv-file.ts';
import { readSales, type SalesFile } from './sales-file.ts';

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
    const file = await readSales(bytes, io.now());
    throwOnErrors(file.errors);
    const { added, changed } = await withStores(io, async (stores) => {
      throwOnErrors(fileErrors(await currencyErrors(file, stores)));
      return add(file, stores, io.now());
    });
    const known = file.sales.length - added - changed;
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

/** An error for each line in another currency than the stored sale or an earlier line with its id. */
async function currencyErrors({ sales: reports, lines }: SalesFile, { sales }: Stores) {
  const currencies = new Map<string, string>();
  for (const batch of batchesOf(reports)) {
    const stored = await sales.reportedCurrencies(batch.map(({ id }) => id));
    for (const [id, currency] of stored) currencies.set(id, currency);
  }
  return reports.flatMap(({ id, currency }, n) => {
    const first = currencies.get(id);
    if (first === undefined) currencies.set(id, currency);
    return first === undefined || first === currency ? [] : otherCurrencyAt(lines[n]);
  });
}

const otherCurrencyAt = (line: number | undefined) =>
  `Line ${line}, column currency: ${sentences.OTHER_CURRENCY}`;

/** Returns how many sales were new, and of how many known ones something else was returned. */
async function add({ sales: reports, lines }: SalesFile, { sales }: Stores, now: number) {
  const results: ReportResult[] = [];
  for (const batch of batchesOf(reports)) {
    results.push(...(await Promise.all(batch.map((report) => sales.report(report, now)))));
  }
  // A server on the same database can store such a sale after the check.
  const rejected = lines.filter((_, n) => results[n] === 'otherCurrency').map(otherCurrencyAt);
  if (rejected.length > 0) {
    throw new AppError(
      'COMMAND_FAILED',
      [...rejected, 'The other lines were imported.'].join('\n'),
    );
  }
  return {
    added: results.filter((result) => result === 'new').length,
    changed: results.filter((result) => result === 'changed').length,
  };
}

function* batchesOf(reports: readonly SaleReport[]) {
  for (let i = 0; i < reports.length; i += batchSize) yield reports.slice(i, i + batchSize);
}
