import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Conversion } from '../analytics/store.ts';
import { codeOf } from '../error-code.ts';
import { readSales, salesColumns } from './sales-file.ts';
import {
  counted,
  grouped,
  type Io,
  parse,
  printLine,
  Refusal,
  type Stores,
  type Verb,
  withStores,
} from './verb.ts';

/** How many faults are shown: whoever has more has one and the same in every line. */
const shownFaults = 10;
/** Sales that are on their way to the disk together. */
const batchLength = 500;

export const conversionsImport: Verb = {
  name: 'conversions import',
  takes: '<file.csv | ->',
  summary:
    'Takes sales from a CSV file; of one that is there already it takes what was refunded since.',
  details: [
    `The first line names the columns: ${salesColumns.join(', ')}.`,
    'id         the checkout’s own id: the same id twice is the same sale',
    'amount     in cents: 4900 is $49.00',
    'currency   such as USD',
    'timestamp  such as 2026-01-31T09:30:00Z; when left out, the sale is dated now',
    'refunded   how much of the amount was given back, in cents; disputed: how much may still be',
    'Every line is checked first. When one is wrong, nothing is imported.',
    '- reads standard input.',
  ],

  async run(args, io) {
    const { positionals } = parse({ args, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) {
      throw new Refusal('Please name one file: npm run admin -- conversions import sales.csv');
    }
    const bytes = file === '-' ? await buffer(io.stdin) : await read(file, io);
    const { sales, faults } = readSales(bytes, io.now());
    if (faults.length > 0) throw new Refusal(faultsText(faults));
    const imported = await withStores(io, (stores) => add(sales, stores));
    const { added, refunds } = imported;
    const known = sales.length - added - refunds;
    printLine(
      io.stdout,
      [
        `${grouped(added)} imported`,
        ...(refunds > 0 ? [`${counted(refunds, 'refund')} added`] : []),
        `${grouped(known)} already there`,
      ].join(', '),
    );
  },
};

async function read(file: string, { folder }: Io): Promise<Uint8Array> {
  try {
    return await readFile(resolve(folder, file));
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new Refusal(`The file ${file} ${reason}.`);
  }
}

function faultsText(faults: string[]): string {
  const hidden = faults.length - shownFaults;
  return [
    ...faults.slice(0, shownFaults),
    ...(hidden > 0 ? [`… and ${counted(hidden, 'more fault')}.`] : []),
    'Nothing was imported.',
  ].join('\n');
}

/** Returns how many were new, and of how many known ones more was given back. */
async function add(sales: Conversion[], { analytics }: Stores) {
  let [added, refunds] = [0, 0];
  for (let i = 0; i < sales.length; i += batchLength) {
    const batch = sales.slice(i, i + batchLength);
    const results = await Promise.all(batch.map((sale) => analytics.addConversion(sale)));
    added += results.filter((result) => result === 'new').length;
    refunds += results.filter((result) => result === 'refund').length;
  }
  return { added, refunds };
}
