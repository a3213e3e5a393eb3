/** The target of a transfer: no program starts on it until the copy is complete. */

import { closeSync, openSync } from 'node:fs';
import {
  type Database,
  exists,
  type Reader,
  type Statements,
  script,
} from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { isUnfinished, markFinished, markUnfinished } from '../../database/unfinished.ts';
import { AppError, isUnavailable } from '../../errors.ts';
import { storageErrorSentence } from '../../health/storage-errors.ts';
import { type Content, copyRows, empty } from './copy.ts';
import { tables } from './tables.ts';

/** Copies `source` into the new SQLite file `file`; returns the result of `check` on that database. */
export async function fillFile<T>(
  source: Reader,
  file: string,
  check: (target: Database, copied: Content[]) => Promise<T>,
): Promise<T> {
  // Create it first, so that no other user can read it at any time.
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
 * Copies `source` into the empty PostgreSQL database at `url`. The database stays marked as unfinished until
 * `check` succeeds; one left by an interrupted transfer is emptied first.
 */
export async function fillServer<T>(
  source: Reader,
  { url, name, isSource }: { url: string; name: string; isSource: () => Promise<boolean> },
  check: (target: Database, copied: Content[]) => Promise<T>,
): Promise<T> {
  const { openPostgres } = await import('../../database/postgres/postgres.ts');
  const database = asTarget(await openPostgres(url).catch(rethrowAsRefused));
  try {
    await migrate(database);
    await database.write(() => begin(name));
    if (await isSource()) {
      await database.write(markFinished);
      throw new AppError('TRANSFER_REFUSED', `${name} is where the site is already.`);
    }
    await database.write(empty);
    const copied = await copyRows(source, database);
    // Without statistics the query planner would choose slow plans for the new rows.
    await database.write(() => script(`ANALYZE ${tables.map((table) => table.name).join(', ')}`));
    const checked = await check(database, copied);
    await database.write(markFinished);
    return checked;
  } finally {
    await database.close();
  }
}

/** A target that has rows in one of these tables is not overwritten. */
const protectedTables = [
  'contact_message',
  'event',
  'counter',
  'conversion',
  'payment_event',
  'booking',
  'external_call',
  'sale_report',
  'api_key',
  'site_version',
];
const selectProtected = `SELECT 1 AS one WHERE ${protectedTables
  .map((table) => `EXISTS (SELECT 1 FROM ${table})`)
  .join(' OR ')}`;

function* begin(name: string): Statements<void> {
  if (yield* isUnfinished()) return;
  if (yield* exists(selectProtected)) {
    throw new AppError(
      'TRANSFER_REFUSED',
      `There are messages, bookings, visits, sales, API keys or versions of the site in ${name} already, and a move ` +
        'does not mix with them. Please name an empty database.',
    );
  }
  yield* markUnfinished();
}

/** Wraps the target's errors, so that their sentences name `--to` and not the source. */
const asTarget = (database: Database): Database => ({
  ...database,
  write: (transaction) => database.write(transaction).catch(rethrowAsRefused),
  read: (transaction) => database.read(transaction).catch(rethrowAsRefused),
});

function rethrowAsRefused(error: unknown): never {
  if (!isUnavailable(error)) throw error;
  const sentence = storageErrorSentence(error) ?? 'The database at DATABASE_URL cannot be used.';
  throw new AppError('TRANSFER_REFUSED', sentence.replaceAll('DATABASE_URL', '--to'), {
    cause: error,
  });
}
