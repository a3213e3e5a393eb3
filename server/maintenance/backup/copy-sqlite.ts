/** Consistent copies of the embedded database: snapshot, trim, and verify. */
import { closeSync, openSync } from 'node:fs';
import { columns, handTyped, max } from '../../database/columns.ts';
import { all, get, run } from '../../database/database.ts';
import {
  beforeBaselineAdvice,
  isBeforeBaseline,
  migrate,
  schemaVersion,
} from '../../database/migrate.ts';
import { sql } from '../../database/sql.ts';
import { openSqlite, type Sqlite } from '../../database/sqlite/sqlite.ts';
import { AppError, codeOf } from '../../errors.ts';
import { storesOn } from '../../stores/stores.ts';

export interface ReadBack {
  /** The schema version of the file. */
  version: number;
  /** Number of figures compared with their rows; undefined: not checked, because the schema is older. */
  checked: number | undefined;
  /** Number of figures that differ from their rows. */
  wrong: number;
}

/** Copies a snapshot of `source`, also while others write to it, into the new file `target`. */
export async function copyDatabase(source: string, target: string): Promise<void> {
  // Create it first, so that no other user can read it at any time.
  closeSync(openSync(target, 'wx', 0o600));
  const database = openSqlite(source, { asIs: true });
  try {
    database.copyTo(target);
  } finally {
    await database.close();
  }
}

/** Tables emptied in a copy. A copy of an older schema lacks some of them. */
const trimmedTables = [
  'admin_session',
  'sign_in_link',
  'sign_in_attempt',
  'seen_visitor',
  'visitor_salt',
];

/**
 * Deletes from a copy what must not outlive its retention: sessions and the login link, so that a restore
 * does not revive ended ones; login attempts with their addresses; and the hashes that distinguish the
 * visitors of a day.
 */
export function trimCopy(file: string): Promise<void> {
  return withCopy(file, (database) =>
    database.write(function* () {
      const tables = yield* all(tablesNamed(trimmedTables));
      for (const { name } of tables) yield* run(`DELETE FROM ${name}`);
    }),
  );
}

/** Migrates a copy to the schema of this release. */
export const upgradeCopy = (file: string): Promise<void> =>
  withCopy(file, async (database) => {
    await migrate(database);
    await storesOn(database).sales.rebuild(new AbortController().signal);
  });

/**
 * Verifies a file: it is a database of this product and a known schema, its pages and indexes are intact,
 * and its figures match their rows. Throws `UNUSABLE_BACKUP`, except for figures, which it reports.
 */
export function readBack(file: string): Promise<ReadBack> {
  return withCopy(file, async (database, version) => {
    const problems = database.readNow(() =>
      all(handTyped<{ integrity_check: string }>('PRAGMA integrity_check(3)')),
    );
    if (problems[0]?.integrity_check !== 'ok') throw damaged(file);
    if (version < schemaVersion) return { version, checked: undefined, wrong: 0 };
    const { analytics, sales } = storesOn(database);
    const counters = await analytics.compareCounters();
    const compared = await sales.compare();
    return {
      version,
      checked: counters.checked + compared.checked,
      wrong: counters.differences.length + compared.differences.length,
    };
  });
}

/**
 * Tables of what people wrote, booked or paid, and of the owner's site, with a condition. Visits and spam are left out: an emptied site soon
 * has some again, and a flood of them would outweigh the rest.
 */
const valuedTables: Record<string, string> = {
  contact_message: "folder <> 'spam'",
  booking: 'true',
  conversion: 'true',
  payment_event: 'true',
  sale_report: 'true',
  external_call: 'true',
  site_version: 'true',
};

/**
 * Counts the rows of what people wrote, booked or paid; undefined in a file that is damaged, has an unknown schema or
 * cannot be read for now.
 */
export const valuedRowsIn = (file: string): Promise<number | undefined> =>
  withCopy(file, async (database) =>
    database.readNow(function* () {
      let rows = 0;
      for (const { name } of yield* all(tablesNamed(Object.keys(valuedTables)))) {
        const count = yield* get(
          handTyped<{ n: number }>(`SELECT count(*) AS n FROM ${name} WHERE ${valuedTables[name]}`),
        );
        rows += count?.n ?? 0;
      }
      return rows;
    }),
  ).catch(() => undefined);

function versionOf(database: Sqlite, file: string): number {
  const tables = database.readNow(() => all(tablesNamed(['schema_version', 'contact_message'])));
  if (tables.length < 2) throw notABackup(file);
  const row = database.readNow(() =>
    get(sql`SELECT ${columns('schema_version', { version: max('version') })} FROM schema_version`),
  );
  const version = row?.version ?? 0;
  if (isBeforeBaseline(version)) {
    throw new AppError(
      'UNUSABLE_BACKUP',
      `${file} was made by an earlier checkout of Shingle (its schema is ${version}). ${beforeBaselineAdvice}`,
    );
  }
  if (version > schemaVersion) {
    throw new AppError(
      'UNUSABLE_BACKUP',
      `${file} was made by a newer version of Shingle (its schema is ${version}, this version uses ` +
        `${schemaVersion}). Please use it with that version.`,
    );
  }
  return version;
}

/** Selects those of these tables that exist, from a system table, which the schema does not declare. */
const tablesNamed = (names: string[]) =>
  handTyped<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table'
     AND name IN (${names.map((name) => `'${name}'`).join(', ')})`,
  );

/**
 * Opens a file of a known schema for `work`. Throws `UNUSABLE_BACKUP` for any other, and for the engine's errors
 * about the file.
 */
async function withCopy<T>(
  file: string,
  work: (database: Sqlite, version: number) => Promise<T>,
): Promise<T> {
  try {
    const database = openSqlite(file, { asIs: true });
    try {
      return await work(database, versionOf(database, file));
    } finally {
      await database.close();
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'SQLITE_NOTADB') throw notABackup(file);
    if (code === 'SQLITE_CORRUPT') throw damaged(file);
    if (code === 'SQLITE_CANTOPEN') {
      throw new AppError(
        'UNUSABLE_BACKUP',
        `${file} cannot be opened. Please give this user read access.`,
      );
    }
    throw error;
  }
}

const notABackup = (file: string) =>
  new AppError(
    'UNUSABLE_BACKUP',
    `${file} is no backup of Shingle. Please name a file that npm run admin -- backup made.`,
  );

const damaged = (file: string) =>
  new AppError(
    'UNUSABLE_BACKUP',
    `${file} is damaged and cannot be used. Please take another backup.`,
  );
