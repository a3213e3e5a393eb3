/** Whole copies of the embedded database: made at one instant, trimmed, and read back. */
import { closeSync, openSync } from 'node:fs';
import { storesOn } from '../../app/stores.ts';
import { all, get, run } from '../../database/database.ts';
import { migrate, schemaVersion } from '../../database/migrate.ts';
import { openSqlite, type Sqlite } from '../../database/sqlite/sqlite.ts';
import { codeOf } from '../../error-code.ts';

/** Thrown when a file cannot serve as a backup; its message tells the owner what to do. */
export class UnusableBackup extends Error {}

export interface ReadBack {
  /** The schema it was found with. */
  version: number;
  /** Figures that were counted again from their rows; undefined: an older schema, left as it is. */
  checked: number | undefined;
  /** How many of them say something else than their rows. */
  wrong: number;
}

/** Copies `source` as it is at one instant, whoever writes to it meanwhile, into the new file `target`. */
export async function copyDatabase(source: string, target: string): Promise<void> {
  // Made first, so that it is nobody else's to read from its first byte on.
  closeSync(openSync(target, 'wx', 0o600));
  const database = openSqlite(source, { asIs: true });
  try {
    database.copyTo(target);
  } finally {
    await database.close();
  }
}

/** What a copy must not hold. A copy of an older schema lacks some of these tables. */
const trimmed = [
  'admin_session',
  'sign_in_link',
  'sign_in_attempt',
  'seen_visitor',
  'visitor_salt',
];

/**
 * Takes out of a copy what must not outlive its time: sessions and the sign-in link, so that none that
 * was ended comes back; who signed in or tried to, with their addresses; and what tells the visitors of
 * its day apart, which is deleted when the day is over.
 */
export function trimCopy(file: string): Promise<void> {
  return within(file, (database) =>
    database.write(function* () {
      const tables = yield* all<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table'
         AND name IN (${trimmed.map((name) => `'${name}'`).join(', ')})`,
      );
      for (const { name } of tables) yield* run(`DELETE FROM ${name}`);
    }),
  );
}

/** Brings a copy to the schema of this version. */
export const upgradeCopy = (file: string): Promise<void> => within(file, migrate);

/**
 * Reads a file back: that it is a database of ours that this version knows, sound in every page and
 * index, and that its figures say what its rows say. Throws `UnusableBackup` unless all but the last.
 */
export function readBack(file: string): Promise<ReadBack> {
  return within(file, async (database) => {
    const version = versionOf(database, file);
    const faults = database.readNow(() =>
      all<{ integrity_check: string }>('PRAGMA integrity_check(3)'),
    );
    if (faults[0]?.integrity_check !== 'ok') throw damaged(file);
    if (version < schemaVersion) return { version, checked: undefined, wrong: 0 };
    const { analytics, payments } = storesOn(database);
    const checks = [await analytics.compareCounters(), await payments.compare()];
    return {
      version,
      checked: checks.reduce((sum, { checked }) => sum + checked, 0),
      wrong: checks.reduce((sum, { differences }) => sum + differences.length, 0),
    };
  });
}

function versionOf(database: Sqlite, file: string): number {
  const names = database.readNow(() =>
    all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE name IN ('schema_version', 'contact_message')",
    ),
  );
  if (names.length < 2) throw foreign(file);
  const row = database.readNow(() =>
    get<{ version: number | null }>('SELECT max(version) AS version FROM schema_version'),
  );
  const version = row?.version ?? 0;
  if (version > schemaVersion) {
    throw new UnusableBackup(
      `${file} was made by a newer version of Shingle (its schema is ${version}, this version knows ` +
        `${schemaVersion}). Please use it with that version.`,
    );
  }
  return version;
}

/** Opens the file as it is for `job`; what the engine finds wrong with it becomes a sentence. */
async function within<T>(file: string, job: (database: Sqlite) => Promise<T>): Promise<T> {
  try {
    const database = openSqlite(file, { asIs: true });
    try {
      return await job(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'SQLITE_NOTADB') throw foreign(file);
    if (code === 'SQLITE_CORRUPT') throw damaged(file);
    if (code === 'SQLITE_CANTOPEN') {
      throw new UnusableBackup(`${file} cannot be opened. Please give this user read access.`);
    }
    throw error;
  }
}

const foreign = (file: string) =>
  new UnusableBackup(
    `${file} is no backup of Shingle. Please name a file that npm run admin -- backup made.`,
  );

const damaged = (file: string) =>
  new UnusableBackup(`${file} is damaged and cannot be used. Please take another backup.`);
