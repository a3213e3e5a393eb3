/** Where a site moves to: nobody takes it for a site before all of it is there. */
import { closeSync, openSync } from 'node:fs';
import {
  type Database,
  DatabaseUnavailable,
  get,
  type Reader,
  type Statements,
  script,
} from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { isUnfinished, markFinished, markUnfinished } from '../../database/unfinished.ts';
import { storageErrorSentence } from '../../health/storage-errors.ts';
import { type Content, copyRows, empty } from './copy.ts';
import { tables } from './tables.ts';

/** Thrown when a move cannot be done; its message tells the owner what to do. */
export class TransferRefused extends Error {}

/** Copies into the new file `file`, gives `check` the database in it, and closes it. */
export async function fillFile<T>(
  source: Reader,
  file: string,
  check: (target: Database, copied: Content[]) => Promise<T>,
): Promise<T> {
  // Made first, so that it is nobody else's to read from its first byte on.
  closeSync(openSync(file, 'wx', 0o600));
  const database = openSqlite(file, { asIs: true });
  try {
    await migrate(database);
    await database.write(empty);
    return await check(database, await copyRows(source, database));
  } finally {
    await database.close();
  }
}

/**
 * The same into the empty database at this address, which no site starts on until `check` is done and
 * has not thrown. One that a move was broken off in is emptied first.
 */
export async function fillServer<T>(
  source: Reader,
  { url, name, isSource }: { url: string; name: string; isSource: () => Promise<boolean> },
  check: (target: Database, copied: Content[]) => Promise<T>,
): Promise<T> {
  const { openPostgres } = await import('../../database/postgres/postgres.ts');
  const database = told(await openPostgres(url).catch(tell));
  try {
    await migrate(database);
    await database.write(() => begin(name));
    if (await isSource()) {
      await database.write(markFinished);
      throw new TransferRefused(`${name} is where the site is already.`);
    }
    await database.write(empty);
    const copied = await copyRows(source, database);
    // Else the server would guess how to look things up in what it knows nothing of.
    await database.write(() => script(`ANALYZE ${tables.map((table) => table.name).join(', ')}`));
    const checked = await check(database, copied);
    await database.write(markFinished);
    return checked;
  } finally {
    await database.close();
  }
}

/** What nobody wants to lose. */
const precious = ['contact_message', 'mark', 'counter', 'conversion', 'payment_event'];
const findPrecious = `SELECT 1 AS one WHERE ${precious
  .map((table) => `EXISTS (SELECT 1 FROM ${table})`)
  .join(' OR ')}`;

function* begin(name: string): Statements<void> {
  if (yield* isUnfinished()) return;
  if (yield* get(findPrecious)) {
    throw new TransferRefused(
      `There are messages, visits or sales in ${name} already, and a move does not mix with them. ` +
        'Please name an empty database.',
    );
  }
  yield* markUnfinished();
}

/** A database whose failures are told apart from those of the one that is moved from. */
const told = (database: Database): Database => ({
  ...database,
  write: (job) => database.write(job).catch(tell),
  read: (job) => database.read(job).catch(tell),
});

function tell(error: unknown): never {
  if (!(error instanceof DatabaseUnavailable)) throw error;
  const sentence = storageErrorSentence(error) ?? 'The database at DATABASE_URL cannot be used.';
  throw new TransferRefused(sentence.replaceAll('DATABASE_URL', '--to'), { cause: error });
}
