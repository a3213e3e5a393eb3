/** Streams the owner's CSV files in and out, for the import and export commands. */
import { createReadStream, createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse as csvParser } from 'csv-parse';
import { AppError, codeOf } from '../../errors.ts';
import { type CsvFormat, csvChunks, unescapedCell } from '../../text/csv.ts';
import { type Io, parse, pluralize, printLine } from '../command.ts';

/** Help of every export command. */
export const outputDetails = [
  'Without a file it writes to standard output. Then use npm run --silent admin -- …,',
  'because npm prints two lines of its own there. An existing file is never overwritten.',
];

/** Help of the exports that hold text written by strangers. */
export const formulaDetail =
  'Text that a spreadsheet would run as a formula, also within a cell, gets an apostrophe before it.';

/** How many errors of a file are printed: more are usually one mistake repeated in every line. */
const maxShownErrors = 10;

/** The errors of a file. */
export interface FileErrors {
  count: number;
  /** The first of them, as sentences. */
  shown: string[];
}

/** Keeps the first of these sentences. */
export const fileErrors = (sentences: readonly string[]): FileErrors => ({
  count: sentences.length,
  shown: sentences.slice(0, maxShownErrors),
});

/** A line of a file. */
export interface Line {
  /** The number of its first line, since a quoted cell may hold line breaks. */
  number: number;
  /** By column; empty cells are left out. */
  cells: Record<string, string>;
}

/**
 * Calls `onLine` for each line that is not blank and collects the errors it returns. Throws
 * `COMMAND_FAILED` unless the first line names the columns: known ones only, and all `required` ones.
 */
export async function readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { columns: known, required }: { columns: readonly string[]; required: readonly string[] },
  onLine: (line: Line) => string[],
): Promise<FileErrors> {
  const errors: FileErrors = { count: 0, shown: [] };
  const report = (sentences: string[]) => {
    errors.count += sentences.length;
    errors.shown.push(...sentences.slice(0, maxShownErrors - errors.shown.length));
  };
  let columns: string[] | undefined;
  for await (const { number, cells } of linesOf(bytes)) {
    if (columns === undefined) {
      columns = columnsOf(cells, { known, required });
      continue;
    }
    if (cells.length !== columns.length) {
      report([`Line ${number}: it has ${cells.length} cells, the header has ${columns.length}.`]);
      continue;
    }
    const named: Line['cells'] = {};
    columns.forEach((column, i) => {
      const cell = cells[i];
      if (cell) named[column] = unescapedCell(cell);
    });
    report(onLine({ number, cells: named }));
  }
  if (columns === undefined) columnsOf([], { known, required });
  return errors;
}

/** Throws `COMMAND_FAILED` that lists the errors, if there are any. */
export function throwOnErrors({ count, shown }: FileErrors): void {
  if (count === 0) return;
  const hidden = count - shown.length;
  throw new AppError(
    'COMMAND_FAILED',
    [
      ...shown,
      ...(hidden > 0 ? [`… and ${pluralize(hidden, 'more error')}.`] : []),
      'Nothing was imported.',
    ].join('\n'),
  );
}

interface ParsedRecord {
  record: string[];
  raw: string;
}

/** The lines that are not blank. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>) {
  // `raw` adds the source text of each record, whose line breaks are counted.
  const options = { raw: true, trim: true, relax_column_count: true };
  const parser = csvParser({ ...options, record_delimiter: ['\r\n', '\n', '\r'] });
  const source = Readable.from(textOf(bytes));
  source.on('error', (error) => parser.destroy(error));
  let number = 1;
  try {
    for await (const { record, raw } of source.pipe(parser) as AsyncIterable<ParsedRecord>) {
      if (record.some((cell) => cell !== '')) yield { number, cells: record };
      number += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AppError(
      'COMMAND_FAILED',
      `The file cannot be read as CSV: ${error.message}. Nothing was imported.`,
    );
  } finally {
    source.destroy();
  }
}

async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Drops the byte order mark that some spreadsheets write.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new AppError(
        'COMMAND_FAILED',
        'The file is not UTF-8 text. Please save it as "CSV UTF-8".',
      );
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

function columnsOf(
  header: string[],
  { known, required }: { known: readonly string[]; required: readonly string[] },
): string[] {
  const columns = header.map((name) => name.toLowerCase());
  const wrong = columns.find((name, i) => !known.includes(name) || columns.indexOf(name) !== i);
  const missing = required.find((name) => !columns.includes(name));
  if (missing === undefined && wrong === undefined) return columns;
  if (header.length === 1 && header[0]?.includes(';')) {
    throw new AppError(
      'COMMAND_FAILED',
      'The file is separated by semicolons. Please save it separated by commas.',
    );
  }
  const problem =
    missing === undefined
      ? `has an unknown or duplicate column "${wrong}"`
      : `must name the column ${missing}`;
  throw new AppError(
    'COMMAND_FAILED',
    `The first line ${problem}. The columns are ${known.join(', ')}; ` +
      `all but ${required.join(', ').replace(/, (?=\w+$)/, ' and ')} are optional.`,
  );
}

/** The bytes of the one file argument, or of standard input for `-`. */
export function fileToRead(args: string[], io: Io, example: string): AsyncIterable<Uint8Array> {
  const { positionals } = parse({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    throw new AppError('COMMAND_FAILED', `Please name one file: npm run admin -- ${example}`);
  }
  return file === '-' ? io.stdin : read(file, io);
}

async function* read(file: string, { folder }: Io): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(resolve(folder, file));
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new AppError('COMMAND_FAILED', `The file ${file} ${reason}.`);
  }
}

/** Writes rows to the one file argument, or to standard output; returns how many. */
export async function exportRows<Row>(
  args: string[],
  io: Io,
  {
    rows,
    format,
    describe,
  }: { rows: AsyncIterable<Row>; format: CsvFormat<Row>; describe: (n: number) => string },
): Promise<number> {
  const { positionals } = parse({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (more.length > 0) throw new AppError('COMMAND_FAILED', 'Please name one file only.');
  let n = 0;
  async function* counting() {
    for await (const row of rows) {
      n += 1;
      yield row;
    }
  }
  const chunks = csvChunks(counting(), format);
  if (file === undefined || file === '-') {
    await pipeline(Readable.from(chunks), io.stdout, { end: false });
    return n;
  }
  await writeFile(chunks, file, io);
  printLine(io.stdout, `${describe(n)} exported to ${file}`);
  return n;
}

async function writeFile(
  chunks: AsyncIterable<string>,
  file: string,
  { folder }: Io,
): Promise<void> {
  try {
    // Readable for the owner only, since it may hold email addresses of buyers.
    const target: Writable = createWriteStream(resolve(folder, file), { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.from(chunks), target);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') {
      throw new AppError(
        'COMMAND_FAILED',
        `The file ${file} exists already. Please choose another name.`,
      );
    }
    if (code === 'ENOENT')
      throw new AppError('COMMAND_FAILED', `The folder of ${file} does not exist.`);
    if (code === 'EACCES' || code === 'EISDIR' || code === 'EROFS') {
      throw new AppError('COMMAND_FAILED', `The file ${file} cannot be written (${code}).`);
    }
    throw error;
  }
}
