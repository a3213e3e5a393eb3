/** The owner's CSV files, read a line at a time, and the verbs that write them. */
import { createReadStream, createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse as csvParser } from 'csv-parse';
import { type CsvFormat, csvChunks, meant } from '../analytics/csv.ts';
import { codeOf } from '../error-code.ts';
import { counted, type Io, parse, printLine, Refusal } from './command.ts';

/** How many faults are shown: whoever has more has one and the same in every line. */
const shownFaults = 10;

/** What is wrong with a file: so many things, and the first of them as sentences. */
export interface Faults {
  n: number;
  shown: string[];
}

/** A line of a file by its columns; an empty cell is not there. */
export interface Line {
  /** The number of its first line, since a quoted cell may hold line breaks. */
  number: number;
  cells: Record<string, string>;
}

/**
 * Reads a file whose first line names its columns, each of them known and the needed ones there, and
 * hands each line with anything in it to `take`, which returns what is wrong with it. Throws `Refusal`
 * when it is no such file.
 */
export async function readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { columns: known, needed }: { columns: readonly string[]; needed: readonly string[] },
  take: (line: Line) => string[],
): Promise<Faults> {
  const faults: Faults = { n: 0, shown: [] };
  const complain = (sentences: string[]) => {
    faults.n += sentences.length;
    faults.shown.push(...sentences.slice(0, shownFaults - faults.shown.length));
  };
  let columns: string[] | undefined;
  for await (const { number, cells } of linesOf(bytes)) {
    if (columns === undefined) {
      columns = columnsOf(cells, { known, needed });
      continue;
    }
    if (cells.length !== columns.length) {
      complain([`Line ${number}: it has ${cells.length} cells, the header has ${columns.length}.`]);
      continue;
    }
    const named: Line['cells'] = {};
    columns.forEach((column, i) => {
      const cell = cells[i];
      if (cell) named[column] = meant(cell);
    });
    complain(take({ number, cells: named }));
  }
  if (columns === undefined) columnsOf([], { known, needed });
  return faults;
}

/** Throws a `Refusal` that lists the faults, when there are any. */
export function refuseFaults({ n, shown }: Faults): void {
  if (n === 0) return;
  const hidden = n - shown.length;
  throw new Refusal(
    [
      ...shown,
      ...(hidden > 0 ? [`… and ${counted(hidden, 'more fault')}.`] : []),
      'Nothing was imported.',
    ].join('\n'),
  );
}

interface ParsedRecord {
  record: string[];
  raw: string;
}

/** The lines with anything in them. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>) {
  // With `raw`, a record comes with its source text.
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
    throw new Refusal(`The file cannot be read as CSV: ${error.message}. Nothing was imported.`);
  } finally {
    source.destroy();
  }
}

async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Drops a byte order mark, which spreadsheets like to write.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Refusal('The file is not UTF-8 text. Please save it as "CSV UTF-8".');
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

function columnsOf(
  header: string[],
  { known, needed }: { known: readonly string[]; needed: readonly string[] },
): string[] {
  const columns = header.map((name) => name.toLowerCase());
  const strange = columns.find((name, i) => !known.includes(name) || columns.indexOf(name) !== i);
  const missing = needed.find((name) => !columns.includes(name));
  if (missing === undefined && strange === undefined) return columns;
  if (header.length === 1 && header[0]?.includes(';')) {
    throw new Refusal('The file is separated by semicolons. Please save it separated by commas.');
  }
  const fault =
    missing === undefined
      ? `has a column "${strange}" that is not known, or is there twice`
      : `must name the column ${missing}`;
  throw new Refusal(
    `The first line ${fault}. The columns are ${known.join(', ')}; ` +
      `all but ${needed.join(', ').replace(/, (?=\w+$)/, ' and ')} may be left out.`,
  );
}

/** The bytes of the one file that was named, or of standard input for `-`. */
export function fileToRead(args: string[], io: Io, example: string): AsyncIterable<Uint8Array> {
  const { positionals } = parse({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    throw new Refusal(`Please name one file: npm run admin -- ${example}`);
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
    throw new Refusal(`The file ${file} ${reason}.`);
  }
}

/** Writes rows to the one file that was named, or to standard output; returns how many. */
export async function exportRows<Row>(
  args: string[],
  io: Io,
  {
    rows,
    format,
    say,
  }: { rows: AsyncIterable<Row>; format: CsvFormat<Row>; say: (n: number) => string },
): Promise<number> {
  const { positionals } = parse({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (more.length > 0) throw new Refusal('Please name one file only.');
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
  printLine(io.stdout, `${say(n)} exported to ${file}`);
  return n;
}

async function writeFile(
  chunks: AsyncIterable<string>,
  file: string,
  { folder }: Io,
): Promise<void> {
  try {
    // For the owner's eyes only: it holds the buyers' addresses.
    const target: Writable = createWriteStream(resolve(folder, file), { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.from(chunks), target);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') {
      throw new Refusal(`The file ${file} exists already. Please choose another name.`);
    }
    if (code === 'ENOENT') throw new Refusal(`The folder of ${file} does not exist.`);
    if (code === 'EACCES' || code === 'EISDIR' || code === 'EROFS') {
      throw new Refusal(`The file ${file} cannot be written (${code}).`);
    }
    throw error;
  }
}
