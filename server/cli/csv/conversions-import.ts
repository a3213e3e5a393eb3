import { buffer } from 'node:stream/consumers';
import { decodeFile } from '../../contract/file-text.ts';
import { formatNumber, pluralize } from '../../contract/numbers.ts';
import { AppError } from '../../errors.ts';
import { salesCsv } from '../../sales/csv.ts';
import { formats } from '../../sales/import/formats.ts';
import { planImport, storeImport } from '../../sales/import/import-sales.ts';
import {
  readSales,
  requiredColumns,
  type SalesFile,
  salesColumns,
} from '../../sales/import/read-sales.ts';
import { fileErrors, knownColumns } from '../../text/csv-rows.ts';
import { type Command, type Io, printLine, withStores } from '../command.ts';
import { fileToRead, throwOnErrors } from './csv-file.ts';

const { other: _, ...exportFormats } = formats;
const exports = Object.values(exportFormats);

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
    `Exports of other shops are recognised, too: ${exports.map(({ title }) => title).join(', ')}.`,
    'Every line is checked first. If one has an error, nothing is imported.',
    '- reads standard input.',
  ],

  async run(args, io) {
    const bytes = fileToRead(args, io, 'conversions import sales.csv');
    const { text } = decodeFile(await buffer(bytes));
    const now = io.now();
    const file = await readSales(text, { now, timeZone: 'UTC' });
    requireClear(file);
    throwOnErrors(file.errors);
    const imported = await withStores(io, async ({ sales }) => {
      const plan = await planImport(file, sales);
      throwOnErrors(fileErrors(plan.errors));
      return storeImport(plan, { file, sales, now });
    });
    printSkipped(file, io);
    if (imported.rejected.length > 0) {
      throw new AppError(
        'COMMAND_FAILED',
        [...imported.rejected, 'The other lines were imported.'].join('\n'),
      );
    }
    const { added, changed, known } = imported;
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

/** Throws unless the file tells by itself how to read it. */
function requireClear({ format, header, hasOpenDates }: SalesFile): void {
  if (format === 'other') knownColumns(header, { known: salesColumns, required: requiredColumns });
  if (!hasOpenDates) return;
  throw new AppError(
    'INVALID_FILE',
    'Its dates can be read with the day or the month first. Please import this file in the browser, ' +
      'under Settings, which asks.',
  );
}

function printSkipped({ skipped }: SalesFile, io: Io): void {
  if (skipped.length === 0) return;
  printLine(io.stderr, `${pluralize(skipped.length, 'line')} left out:`);
  const { shown } = fileErrors(skipped.map(({ line, reason }) => `Line ${line}: ${reason}`));
  for (const sentence of shown) printLine(io.stderr, sentence);
  if (skipped.length > shown.length) printLine(io.stderr, '…');
}
