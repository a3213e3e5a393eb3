/**
 * Our files of rows: CSV with a header, the same for the owner's command line and for the browser.
 *
 * What strangers wrote is in them, and a spreadsheet takes a text that begins like a formula for one.
 * So such a text is written with an apostrophe before it, and so is a text that has one before it
 * already: then each text has one way to be written, and reading it gives the very text.
 */

/** What the rows of a file are. */
export interface CsvFormat<Row> {
  columns: readonly string[];
  /** One for each column; an empty one says nothing. */
  cellsOf: (row: Row) => string[];
}

/** How a formula may begin, also after spaces, in wide letters, or behind apostrophes of ours. */
const formula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
const defused = /^'+(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

const harmless = (text: string) => (formula.test(text) ? `'${text}` : text);

/** The text that a cell of ours stands for. A formula that another program wrote stays as it is. */
export const meant = (cell: string) => (defused.test(cell) ? cell.slice(1) : cell);

const quoted = (cell: string) => (/[\s",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A line of the file, with its end. */
export const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => quoted(harmless(cell))).join(',')}\n`;

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
