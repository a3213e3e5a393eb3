/** Reads a file of sales: our own format, the exports of other shops, or any CSV with mapped columns. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import {
  type CsvRow,
  delimiterOf,
  type FileErrors,
  fileErrors,
  knownColumns,
  readRows,
  rowsPerTurn,
} from '../../text/csv-rows.ts';
import { salesCsv } from '../csv.ts';
import { reportOf, sale } from '../report-input.ts';
import type { SaleReport } from '../reports.ts';
import { type Format, type FormatName, formatOf, formats } from './formats.ts';
import { createRowReader, type RowResult } from './mapped-row.ts';
import { type ImportOptions, likelyOptions } from './options.ts';

/** A line that is left out on purpose. */
interface SkippedLine {
  line: number;
  reason: string;
}

export interface SalesFile {
  /** `own` is the format of `conversions export`. */
  format: 'own' | FormatName;
  delimiter: string;
  header: string[];
  /** How it was read; undefined for our own format. */
  options: ImportOptions | undefined;
  /** Whether nothing in the file says if the day or the month comes first in its dates. */
  hasOpenDates: boolean;
  sales: SaleReport[];
  /** The number of the line of each sale. */
  lines: number[];
  skipped: SkippedLine[];
  errors: FileErrors;
}

interface ReadOptions {
  /** The time of sales without one, in ms since 1970. */
  now: number;
  /** How to read the file; by default, it is found out. */
  options?: ImportOptions | undefined;
  /** The owner’s time zone. */
  timeZone: string;
  /** The maximum number of rows. */
  maxRows?: number;
}

/** The columns of our own format. */
export const salesColumns = [...salesCsv.columns, 'as_of'];
export const requiredColumns = ['id', 'amount', 'currency'];

/** Characters that are parsed without a pause. */
const chunkLength = 16 * 1024;

/**
 * Reads every row and validates it like `POST /api/conversions`. Throws `INVALID_FILE` when it is no file of
 * sales. Yields to the event loop.
 */
export async function readSales(
  text: string,
  { now, options, timeZone, maxRows = Number.POSITIVE_INFINITY }: ReadOptions,
): Promise<SalesFile> {
  if (text.startsWith('PK\u0003\u0004')) {
    throw new AppError('INVALID_FILE', 'This is a workbook. Please save the sheet as CSV.');
  }
  const delimiter = delimiterOf(text);
  const own: { sales: SaleReport[]; lines: number[] } = { sales: [], lines: [] };
  const rows: CsvRow[] = [];
  let [header, format]: [string[], FormatName | undefined] = [[], undefined];
  const columnsOf = (cells: string[]) => {
    header = cells;
    const names = cells.map((name) => name.toLowerCase());
    if (names.every((name) => salesColumns.includes(name))) {
      return knownColumns(cells, { known: salesColumns, required: requiredColumns });
    }
    format = formatOf(names);
    const used = usedColumns(formats[format], options);
    // Of two columns with one name, the first is read.
    return names.map((name) => (used.delete(name) ? name : undefined));
  };
  const errors = await readRows(chunksOf(text), { delimiter, maxRows, columnsOf }, (row) => {
    if (format) rows.push(row);
    return format ? [] : addOwnRow(row, own, now);
  });
  const file = { delimiter, header, errors };
  if (!format) {
    const none = { options: undefined, hasOpenDates: false, skipped: [] };
    return { format: 'own', ...file, ...own, ...none };
  }
  await yieldToEventLoop();
  const likely = likelyOptions(header, { format: formats[format], rows, timeZone });
  const used = options ?? likely.options;
  const read = createRowReader({ header, format: formats[format], options: used, now });
  const mapped = await readMapped(rows, read);
  return {
    format,
    ...file,
    options: used,
    hasOpenDates: likely.hasOpenDates,
    ...mapped,
    errors: {
      count: errors.count + mapped.errors.length,
      shown: fileErrors([...errors.shown, ...mapped.errors]).shown,
    },
  };
}

function* chunksOf(text: string): Generator<string> {
  for (let i = 0; i < text.length; i += chunkLength) yield text.slice(i, i + chunkLength);
}

/** The columns that are read, in lower case: the others would only take memory. */
const usedColumns = ({ columns, extra }: Format, options: ImportOptions | undefined) =>
  new Set([
    ...extra,
    ...Object.values(columns).flat(),
    ...Object.values(options?.columns ?? {}).map((name) => name.toLowerCase()),
  ]);

const numericColumns: readonly string[] = ['amount', 'refunded', 'disputed'];

function addOwnRow(
  { number, cells }: CsvRow,
  { sales, lines }: { sales: SaleReport[]; lines: number[] },
  now: number,
): string[] {
  // Whole numbers as numbers.
  const input = Object.fromEntries(
    Object.entries(cells).map(([column, cell]) => [
      column,
      numericColumns.includes(column) && /^-?\d+$/.test(cell) ? Number(cell) : cell,
    ]),
  );
  const result = sale.safeParse(input);
  if (result.success) {
    sales.push(reportOf(result.data, now));
    lines.push(number);
  }
  return (result.error?.issues ?? []).map(
    ({ path, message }) => `Line ${number}, column ${path.join('.')}: ${message}`,
  );
}

interface MappedSales {
  sales: SaleReport[];
  lines: number[];
  skipped: SkippedLine[];
  errors: string[];
}

async function readMapped(
  rows: readonly CsvRow[],
  read: (row: CsvRow) => RowResult,
): Promise<MappedSales> {
  const result: MappedSales = { sales: [], lines: [], skipped: [], errors: [] };
  const { sales, lines, skipped, errors } = result;
  const indexes = new Map<string, number>();
  const refunds: RefundLine[] = [];
  for (const [i, row] of rows.entries()) {
    if (i % rowsPerTurn === 0) await yieldToEventLoop();
    const found = read(row);
    const line = row.number;
    if (found.is === 'wrong') errors.push(...found.errors);
    else if (found.is === 'skipped') skipped.push({ line, reason: found.reason });
    else if (found.is === 'refund') refunds.push({ ...found, line });
    else {
      const { id } = found.report;
      const first = indexes.get(id);
      if (first !== undefined) {
        skipped.push({ line, reason: `Line ${lines[first]} has the same id, ${id}.` });
        continue;
      }
      indexes.set(id, sales.length);
      sales.push(found.report);
      lines.push(line);
    }
  }
  skipped.push(...deductRefunds(refunds, (id) => sales[indexes.get(id) ?? -1]));
  skipped.sort((a, b) => a.line - b.line);
  return result;
}

type RefundLine = Extract<RowResult, { is: 'refund' }> & { line: number };

/** Deducts refunds from their sales, as far as their sum is positive; returns the lines without a sale. */
function deductRefunds(
  refunds: readonly RefundLine[],
  saleWith: (id: string) => SaleReport | undefined,
): SkippedLine[] {
  const without: SkippedLine[] = [];
  const sums = new Map<SaleReport, number>();
  for (const { line, of, amount, currency } of refunds) {
    const found = saleWith(of);
    if (found?.currency === currency) sums.set(found, (sums.get(found) ?? 0) + amount);
    else {
      const name = of ? `, ${of},` : '';
      const reason = `A refund whose payment${name} is not in this file. Choose a file with both.`;
      without.push({ line, reason });
    }
  }
  for (const [found, sum] of sums) {
    const refunded = found.refunded + Math.max(0, sum);
    found.refunded = Math.min(refunded, found.amount - found.disputed);
  }
  return without;
}
