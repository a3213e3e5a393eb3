/** Streams the owner's CSV files in and out, for the import and export commands. */
import { createReadStream, createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pluralize } from '../../contract/numbers.ts';
import { AppError, codeOf } from '../../errors.ts';
import { type CsvFormat, csvChunks } from '../../text/csv.ts';
import type { FileErrors } from '../../text/csv-rows.ts';
import { type Io, parse, printLine } from '../command.ts';

/** Help of every export command. */
export const outputDetails = [
  'Without a file it writes to standard output. Then use npm run --silent admin -- …,',
  'because npm prints two lines of its own there. An existing file is never overwritten.',
];

/** Help of the exports that hold text written by strangers. */
export const formulaDetail =
  'Text that a spreadsheet would run as a formula, also within a cell, gets an apostrophe before it.';

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

/** Decodes UTF-8. Throws `INVALID_FILE` for other text. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Drops the byte order mark that some spreadsheets write.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new AppError(
        'INVALID_FILE',
        'The file is not UTF-8 text. Please save it as "CSV UTF-8".',
      );
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
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
