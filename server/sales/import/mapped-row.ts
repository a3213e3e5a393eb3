/** Reads a row of a file whose columns are mapped to the fields of a sale. */
import type { CsvRow } from '../../text/csv-rows.ts';
import { reportOf, sale } from '../report-input.ts';
import type { SaleReport } from '../reports.ts';
import { amountExamples, amountOf } from './amount.ts';
import { timeOfDate } from './date.ts';
import type { Field, Format } from './formats.ts';
import { columnIn, type ImportOptions } from './options.ts';

export type RowResult =
  | { is: 'sale'; report: SaleReport }
  /** A refund on a line of its own, of the sale with the id `of`. */
  | { is: 'refund'; of: string; amount: number; currency: string }
  | { is: 'skipped'; reason: string }
  | { is: 'wrong'; errors: string[] };

/** Returns the function that reads the rows of a file. Sales without a date get `now`, in ms since 1970. */
export function createRowReader({
  header,
  format,
  options,
  now,
}: {
  header: readonly string[];
  format: Format;
  options: ImportOptions;
  now: number;
}): (row: CsvRow) => RowResult {
  const keyOf = (field: Field) => options.columns[field]?.toLowerCase() ?? '';
  // The owner may have chosen another column than the format’s own.
  const isUsualId = keyOf('id') === columnIn(header, format.columns.id)?.toLowerCase();

  return ({ number, cells }) => {
    const cellOf = (field: Field) => cells[keyOf(field)] ?? '';
    const wrong = (sentence: string, field?: Field): RowResult => ({
      is: 'wrong',
      errors: [`Line ${number}${columnText(options.columns, field)}: ${sentence}`],
    });
    const verdict = format.judge((column) => cells[column] ?? '', cellOf);
    if (verdict.is === 'skipped') return verdict;
    const currency = (cellOf('currency') || options.currency).toUpperCase();
    const amountIn = (text: string) => amountOf(text, { currency, decimals: options.decimals });
    const notAnAmount = (text: string, field?: Field) =>
      wrong(`“${text}” is not an amount like ${amountExamples[options.decimals]}.`, field);

    const amount = amountIn(cellOf('amount'));
    if (amount === undefined) return notAnAmount(cellOf('amount'), 'amount');
    const id = (verdict.is === 'sale' && isUsualId && verdict.id) || cellOf('id');
    if (verdict.is === 'refund' || amount < 0) {
      const of = (verdict.is === 'refund' && verdict.of) || id;
      return { is: 'refund', of, amount: -amount, currency };
    }
    if (amount === 0) return { is: 'skipped', reason: 'The amount is 0.' };

    const back = amountIn(cellOf('refunded') || '0');
    if (back === undefined) return notAnAmount(cellOf('refunded'), 'refunded');
    const lost = amountIn(verdict.lost || '0');
    if (lost === undefined) return notAnAmount(verdict.lost ?? '');
    const claimed = verdict.disputed === 'all' ? amount : amountIn(verdict.disputed || '0');
    if (claimed === undefined) return notAnAmount(verdict.disputed ?? '');
    // Fees and rates of exchange can make what is returned exceed what was paid.
    const refunded = verdict.isRefundedInFull ? amount : Math.min(amount, Math.abs(back) + lost);
    const disputed = Math.min(amount - refunded, claimed);

    const at = timeIn([cellOf('date'), cellOf('time'), cellOf('zone')], options);
    if (keyOf('date') && at === undefined) {
      return wrong(`“${cellOf('date')}” is not a date like 2026-01-31.`, 'date');
    }
    const result = sale.safeParse({
      id,
      amount,
      currency,
      refunded,
      disputed,
      email: cellOf('email'),
      source: cellOf('source').slice(0, 200).toWellFormed(),
      ...(at !== undefined && { timestamp: new Date(at).toISOString() }),
    });
    if (result.success) return { is: 'sale', report: reportOf(result.data, now) };
    const errors = result.error.issues.map(
      ({ path, message }) =>
        `Line ${number}${columnText(options.columns, fieldOf[String(path[0])])}: ${message}`,
    );
    return { is: 'wrong', errors };
  };
}

const columnText = (columns: ImportOptions['columns'], field: Field | undefined) =>
  field && columns[field] ? `, column ${columns[field]}` : '';

/** The field that an issue of a sale comes from. */
const fieldOf: Record<string, Field> = {
  id: 'id',
  amount: 'amount',
  currency: 'currency',
  email: 'email',
  source: 'source',
  timestamp: 'date',
  refunded: 'refunded',
};

const timeIn = (cells: readonly string[], options: ImportOptions) =>
  timeOfDate(cells.filter((cell) => cell !== '').join(' '), options);
