/**
 * CSV with a header, the same for the command line and the browser.
 *
 * Cells hold untrusted text, so formulas are escaped against CSV injection: text that a spreadsheet
 * would evaluate gets a leading apostrophe, and so does text that already has one. The escape is
 * reversible, except that control characters are removed. Where spreadsheets separate cells by
 * semicolons, as in much of Europe, quotes do not protect: text after a semicolon, tab or line break
 * starts a cell there and is escaped too.
 */

import { withoutControls } from './printable.ts';

/** Columns of a CSV file and how a row becomes cells. */
export interface CsvFormat<Row> {
  columns: readonly string[];
  /** One cell per column; empty when there is no value. */
  cellsOf: (row: Row) => string[];
}

/**
 * The start of a formula: also after spaces, in full-width characters, after our apostrophes, or after
 * quotes, which a spreadsheet strips from the start of a cell.
 */
const formula = /(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠]/.source;
/** A leading line break is unsafe too, since some spreadsheets drop it. Inside text it is an empty line. */
const atStart = `(?:${formula}|'*[\\t\\r\\n])`;
const inside = `(?:${formula}|'*(?:\\t|\\r(?!\\n)))`;

/** Characters that may separate cells besides the comma. */
const separators = '[;\\t\\r\\n]';

const risky = new RegExp(`^${atStart}|${separators}`);
const toEscape = new RegExp(`^(?=${atStart})|(?<=${separators})(?=${inside})`, 'g');
const escaped = new RegExp(`^'(?=${atStart})|(?<=${separators})'(?=${inside})`, 'g');

const escapedFormulas = (text: string) => (risky.test(text) ? text.replace(toEscape, "'") : text);

/** Reverses the formula escape of a cell. A formula written by another program is returned unchanged. */
export const unescapedCell = (cell: string) =>
  cell.includes("'") ? cell.replace(escaped, '') : cell;

const quoted = (cell: string) => (/[\s",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Returns one CSV line with its line break. */
export const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => quoted(escapedFormulas(withoutControls(cell)))).join(',')}\n`;

/** Characters per chunk: sending each line by itself is slow. */
const chunkLength = 32_000;

/** Yields the file in chunks, with one chunk in memory at a time. */
export async function* csvChunks<Row>(
  rows: AsyncIterable<Row>,
  { columns, cellsOf }: CsvFormat<Row>,
): AsyncGenerator<string> {
  let text = csvLine(columns);
  for await (const row of rows) {
    text += csvLine(cellsOf(row));
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
