import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../error-code.ts';
import { cellsOf, salesColumns, salesLine } from './sales-file.ts';
import {
  counted,
  type Io,
  parse,
  printLine,
  Refusal,
  type Stores,
  type Verb,
  withStores,
} from './verb.ts';

export const conversionsExport: Verb = {
  name: 'conversions export',
  takes: '[file.csv]',
  summary: 'Writes every sale as CSV, the oldest first, as `conversions import` reads it.',
  details: [
    'Without a file it writes to standard output; then use npm run --silent admin -- …,',
    'because npm writes two lines of its own there. A file that exists is not touched.',
    'Texts are written as they came. A spreadsheet may take one that starts with = + - or @ for a',
    'formula: import such columns as text.',
  ],

  async run(args, io) {
    const { positionals } = parse({ args, allowPositionals: true });
    const [file, ...more] = positionals;
    if (more.length > 0) throw new Refusal('Please name one file only.');
    await withStores(io, async (stores) => {
      if (file === undefined) return void (await write(stores, io.stdout, { end: false }));
      const n = await writeFile(stores, file, io);
      printLine(io.stdout, `${counted(n, 'sale')} exported to ${file}`);
    });
  },
};

async function writeFile(stores: Stores, file: string, { folder }: Io): Promise<number> {
  try {
    // For the owner's eyes only: it holds the buyers' addresses.
    const target = createWriteStream(resolve(folder, file), { flags: 'wx', mode: 0o600 });
    return await write(stores, target, { end: true });
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

/** Returns the number of sales written. */
async function write(
  { analytics }: Stores,
  target: Writable,
  options: { end: boolean },
): Promise<number> {
  let n = 0;
  async function* lines() {
    yield salesLine(salesColumns);
    for await (const conversion of analytics.allConversions()) {
      n += 1;
      yield salesLine(cellsOf(conversion));
    }
  }
  await pipeline(Readable.from(lines()), target, options);
  return n;
}
