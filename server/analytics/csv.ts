/**
 * Our files of rows: CSV with a header, the same for the owner's command line and for the browser.
 *
 * What strangers wrote is in them, and a spreadsheet takes a text that begins like a formula for one.
 * So such a text is written with an apostrophe before it, and so is a text that has one before it
 * already: then each text has one way to be written, and reading it gives the very text, without control
 * characters. Where semicolons separate cells, as in much of Europe, our quotes hold a text together no
 * more: what stands behind one, a tab or a line break begins a cell there, and is written in the same way.
 */

import { withoutControls } from '../text/printable.ts';

/** What the rows of a file are. */
export interface CsvFormat<Row> {
  columns: readonly string[];
  /** One for each column; an empty one says nothing. */
  cellsOf: (row: Row) => string[];
}

/**
 * How a formula may begin: also after spaces, in wide letters, behind apostrophes of ours, or behind
 * quotes, which a spreadsheet takes away where a cell begins with them.
 */
const formula = /(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠]/.source;
/** A break first is harmful, too: some spreadsheets drop it. Within a text it is only an empty line. */
const atStart = `(?:${formula}|'*[\\t\\r\\n])`;
const inside = `(?:${formula}|'*(?:\\t|\\r(?!\\n)))`;

/** Behind these a cell begins where something else than commas separates them. */
const ends = '[;\\t\\r\\n]';

const risky = new RegExp(`^${atStart}|${ends}`);
const toDefuse = new RegExp(`^(?=${atStart})|(?<=${ends})(?=${inside})`, 'g');
const defused = new RegExp(`^'(?=${atStart})|(?<=${ends})'(?=${inside})`, 'g');

const harmless = (text: string) => (risky.test(text) ? text.replace(toDefuse, "'") : text);

/** The text that a cell of ours stands for. A formula that another program wrote stays as it is. */
export const meant = (cell: string) => (cell.includes("'") ? cell.replace(defused, '') : cell);

const quoted = (cell: string) => (/[\s",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A line of the file, with its end. */
export const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => quoted(harmless(withoutControls(cell)))).join(',')}\n`;

/** Characters that are handed on together: a line by itself is dear to send. */
const chunkLength = 32_000;

/** The file in pieces, never more than one of them in memory. */
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
