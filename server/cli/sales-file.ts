/** The owner's file of sales: CSV with a header, the same going out as coming in. */
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { conversionOf, sale } from '../analytics/sale.ts';
import type { Conversion } from '../analytics/store.ts';
import { Refusal } from './verb.ts';

/** Amounts are in cents, as on the wire. */
export const salesColumns = [
  'id',
  'amount',
  'currency',
  'email',
  'source',
  'timestamp',
  'refunded',
  'disputed',
  'first_source',
  'control',
] as const;
const neededColumns = ['id', 'amount', 'currency'];
const numbers: readonly string[] = ['amount', 'refunded', 'disputed'];

export interface SalesFile {
  sales: Conversion[];
  /** What is wrong with which line and column, one sentence each. */
  faults: string[];
}

interface Line {
  number: number;
  cells: string[];
}

/** Reads and checks every row by the rules of `POST /api/conversions`. Throws `Refusal` when it is no such file. */
export function readSales(bytes: Uint8Array, now: number): SalesFile {
  const [header, ...lines] = linesOf(textOf(bytes));
  const columns = columnsOf(header?.cells ?? []);
  const file: SalesFile = { sales: [], faults: [] };
  for (const { number, cells } of lines) {
    if (cells.length !== columns.length) {
      file.faults.push(
        `Line ${number}: it has ${cells.length} cells, the header has ${columns.length}.`,
      );
      continue;
    }
    const row = Object.fromEntries(
      columns.map((column, i) => [column, contentOf(column, cells[i])]),
    );
    const result = sale.safeParse(row);
    if (result.success) file.sales.push(conversionOf(result.data, now));
    else {
      for (const { path, message } of result.error.issues) {
        file.faults.push(`Line ${number}, column ${path.join('.')}: ${message}`);
      }
    }
  }
  return file;
}

/** A line of the file, with its end. */
export const salesLine = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\n`;

/** The sale as `readSales` reads it back. */
export const cellsOf = (sale: Conversion): string[] => [
  sale.id,
  String(sale.amount),
  sale.currency,
  sale.email ?? '',
  sale.source ?? '',
  new Date(sale.at).toISOString(),
  String(sale.refunded),
  String(sale.disputed),
  sale.firstSource ?? '',
  sale.control ?? '',
];

const quoted = (cell: string) => (/[\s",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function textOf(bytes: Uint8Array): string {
  try {
    // Drops a byte order mark, which spreadsheets like to write.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('The file is not UTF-8 text. Please save it as "CSV UTF-8".');
  }
}

/** The lines with anything in them. A quoted cell may hold line breaks: a line has its first number. */
function linesOf(text: string): Line[] {
  const records = recordsOf(text);
  let number = 1;
  return records.flatMap(({ record, raw }) => {
    const line = { number, cells: record };
    number += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
    return record.some((cell) => cell !== '') ? [line] : [];
  });
}

function recordsOf(text: string): { record: string[]; raw: string }[] {
  try {
    const options = { raw: true, trim: true, relax_column_count: true };
    const ends = ['\r\n', '\n', '\r'];
    // With `raw`, a record comes with its source text; the package's types do not say so.
    return parseCsv(text, { ...options, record_delimiter: ends }) as unknown as ReturnType<
      typeof recordsOf
    >;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Refusal(`The file cannot be read as CSV: ${error.message}. Nothing was imported.`);
  }
}

function columnsOf(header: string[]): string[] {
  const columns = header.map((name) => name.toLowerCase());
  const known: readonly string[] = salesColumns;
  const strange = columns.find((name, i) => !known.includes(name) || columns.indexOf(name) !== i);
  const missing = neededColumns.find((name) => !columns.includes(name));
  if (missing === undefined && strange === undefined) return columns;
  if (header.length === 1 && header[0]?.includes(';')) {
    throw new Refusal('The file is separated by semicolons. Please save it separated by commas.');
  }
  const fault =
    missing === undefined
      ? `has a column "${strange}" that is not known, or is there twice`
      : `must name the column ${missing}`;
  throw new Refusal(
    `The first line ${fault}. The columns are ${salesColumns.join(', ')}; all but the first three may be left out.`,
  );
}

/** An empty cell says nothing; a number is a number. */
function contentOf(column: string, cell = ''): string | number | undefined {
  if (cell === '') return undefined;
  return numbers.includes(column) && /^-?\d+$/.test(cell) ? Number(cell) : cell;
}
