/** Reads the owner's CSV files row by row, for the command line and the browser. */

import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CsvError, parse as csvParser } from 'csv-parse';
import { formatNumber } from '../contract/numbers.ts';
import { AppError } from '../errors.ts';
import { unescapedCell } from './csv.ts';

/** How many errors of a file are shown: more are usually one mistake repeated in every line. */
const maxShownErrors = 10;

/** Rows that are read without a pause, so that a server can respond to others in between. */
export const rowsPerTurn = 200;

/** The errors of a file. */
export interface FileErrors {
  count: number;
  /** The first of them, as sentences. */
  shown: string[];
}

/** Maximum characters of an error that is shown: it can quote a cell of any length. */
const maxErrorLength = 300;

/** Keeps the first of these sentences. */
export const fileErrors = (sentences: readonly string[]): FileErrors => ({
  count: sentences.length,
  shown: sentences
    .slice(0, maxShownErrors)
    .map((text) => (text.length > maxErrorLength ? `${text.slice(0, maxErrorLength)}…` : text)),
});

/** Maximum columns of a file, and maximum characters of their names. */
const maxColumns = 1000;
const maxNameLength = 200;

/** A row of a file. */
export interface CsvRow {
  /** The number of its first line, since a quoted cell may hold line breaks. */
  number: number;
  /** By column; empty cells are omitted. */
  cells: Record<string, string>;
}

/** The character that separates the cells of this text: a comma, or the most frequent one in its header. */
export function delimiterOf(text: string): string {
  const [header = ''] = text.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1);
  const unquoted = header.replace(/"[^"]*"/g, '');
  const countOf = (delimiter: string) => unquoted.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

/**
 * Calls `onRow` for each row below the header that is not blank, and collects the errors it returns.
 * `columnsOf` names the columns by the header; those it calls undefined are omitted. Throws
 * `INVALID_FILE` when the text is no CSV or has more than `maxRows` rows, blank ones included.
 */
export async function readRows(
  text: AsyncIterable<string> | Iterable<string>,
  {
    delimiter = ',',
    maxRows = Number.POSITIVE_INFINITY,
    columnsOf,
  }: {
    delimiter?: string;
    maxRows?: number;
    columnsOf: (header: string[]) => readonly (string | undefined)[];
  },
  onRow: (row: CsvRow) => string[],
): Promise<FileErrors> {
  const errors: FileErrors = { count: 0, shown: [] };
  const report = (sentences: string[]) => {
    errors.count += sentences.length;
    errors.shown = fileErrors([...errors.shown, ...sentences]).shown;
  };
  let columns: readonly (string | undefined)[] | undefined;
  for await (const { number, cells } of linesOf(text, { delimiter, maxRows })) {
    if (columns === undefined) {
      requireShort(cells);
      columns = columnsOf(cells);
      continue;
    }
    if (cells.length !== columns.length) {
      report([`Line ${number}: it has ${cells.length} cells, the header has ${columns.length}.`]);
      continue;
    }
    // A column can be called `constructor`.
    const named: CsvRow['cells'] = Object.create(null);
    columns.forEach((column, i) => {
      const cell = cells[i];
      if (column !== undefined && cell) named[column] = unescapedCell(cell);
    });
    report(onRow({ number, cells: named }));
  }
  if (columns === undefined) columnsOf([]);
  return errors;
}

function requireShort(header: readonly string[]): void {
  if (header.length <= maxColumns && header.every(({ length }) => length <= maxNameLength)) return;
  throw new AppError(
    'INVALID_FILE',
    `The first line must name at most ${maxColumns} columns, in at most ${maxNameLength} characters each.`,
  );
}

/** Names the columns of our own formats. Throws `INVALID_FILE` unless all are known and no required one is missing. */
export function knownColumns(
  header: string[],
  { known, required }: { known: readonly string[]; required: readonly string[] },
): string[] {
  const columns = header.map((name) => name.toLowerCase());
  const wrong = columns.find((name, i) => !known.includes(name) || columns.indexOf(name) !== i);
  const missing = required.find((name) => !columns.includes(name));
  if (missing === undefined && wrong === undefined) return columns;
  const problem =
    missing === undefined
      ? `has an unknown or duplicate column "${wrong}"`
      : `must name the column ${missing}`;
  throw new AppError(
    'INVALID_FILE',
    `The first line ${problem}. The columns are ${known.join(', ')}; ` +
      `all but ${required.join(', ').replace(/, (?=\w+$)/, ' and ')} are optional.`,
  );
}

interface ParsedRecord {
  record: string[];
  raw: string;
}

/** The lines that are not blank. */
async function* linesOf(
  text: AsyncIterable<string> | Iterable<string>,
  { delimiter, maxRows }: { delimiter: string; maxRows: number },
) {
  // `raw` adds the source text of each record, whose line breaks are counted.
  const options = { raw: true, trim: true, relax_column_count: true, delimiter };
  const parser = csvParser({ ...options, record_delimiter: ['\r\n', '\n', '\r'] });
  const source = Readable.from(text);
  source.on('error', (error) => parser.destroy(error));
  let number = 1;
  let rows = 0;
  try {
    for await (const { record, raw } of source.pipe(parser) as AsyncIterable<ParsedRecord>) {
      if (rows > maxRows) {
        throw new AppError(
          'INVALID_FILE',
          `The file has more than ${formatNumber(maxRows)} rows. ` +
            'Please split it, or use npm run admin -- conversions import.',
        );
      }
      if (record.some((cell) => cell !== '')) yield { number, cells: record };
      number += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
      rows += 1;
      if (rows % rowsPerTurn === 0) await yieldToEventLoop();
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AppError(
      'INVALID_FILE',
      `The file cannot be read as CSV: ${error.message}. Nothing was imported.`,
    );
  } finally {
    source.destroy();
  }
}
