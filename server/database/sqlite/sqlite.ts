/**
 * The embedded database: one SQLite file, durable at every commit.
 *
 * Writes that arrive together share a group commit: a commit waits for the disk, and a hundred writes in
 * one commit wait once. `write` resolves after that, so a response never promises what is not on disk.
 */
import { statSync } from 'node:fs';
import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite';
import { codeOf } from '../../errors.ts';
import {
  type Database,
  type Statement,
  type Statements,
  script,
  type Transaction,
} from '../database.ts';
import { checkedValues, type Value } from '../value.ts';

export interface Sqlite extends Database {
  /** Runs a read-only transaction synchronously. */
  readNow<T>(transaction: Transaction<T>): T;
  /**
   * Writes a snapshot into the file `path`, which must be empty or missing. Other processes can write
   * meanwhile, but this process blocks. The file is not fsynced.
   */
  copyTo(path: string): void;
}

interface PendingWrite {
  transaction: Transaction<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Resolves or rejects the caller of one write. */
type Settle = () => void;

/** Most transactions in one group commit, so that a commit does not block reads for long. */
const groupLimit = 1024;

/** How long a group collects writes under load, in ms. */
const groupDelayMs = 1;

/** Interval of retries while another process writes, in ms. */
const busyRetryMs = 10;

/** Interval of retries to empty the write-ahead log while another process reads it, in ms. */
const wipeRetryMs = 100;

/** Busy timeout of the last writes, in ms. It must fit into the ten seconds a shutdown may take. */
const closeTimeoutMs = 2000;

export interface SqliteTiming {
  /** How long a write waits while another process writes, in ms. */
  busyTimeoutMs?: number;
}

/**
 * Opens the database file, or creates it.
 *
 * @param options.asIs keeps a single file without a write-ahead log, for copies that are moved
 */
export function openSqlite(
  path: string,
  { asIs = false, busyTimeoutMs = 5000 }: SqliteTiming & { asIs?: boolean } = {},
): Sqlite {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    configure(database, { asIs });
  } catch (error) {
    database.close();
    throw error;
  }
  const execute = createExecutor(database);
  const openedFile = fileAt(path);
  let pending: PendingWrite[] = [];
  let isScheduled = false;
  let busySince: number | undefined;
  let lastCommit = Number.NEGATIVE_INFINITY;
  let isOpen = true;
  const stats = { commits: 0, writes: 0 };
  let lastError: unknown;

  const flush = () => {
    isScheduled = false;
    const group = pending.splice(0, groupLimit);
    if (group.length === 0) return;
    try {
      if (fileAt(path) !== openedFile) throw movedDatabase();
      commit(database, execute, group);
      busySince = undefined;
      lastError = undefined;
      lastCommit = performance.now();
      stats.commits += 1;
      stats.writes += group.length;
    } catch (error) {
      if (isBusy(error) && isOpen) {
        busySince ??= performance.now();
        if (performance.now() - busySince < busyTimeoutMs) {
          pending = [...group, ...pending];
          isScheduled = true;
          setTimeout(flush, busyRetryMs);
          return;
        }
      }
      busySince = undefined;
      lastError = error;
      for (const { reject } of group) reject(error);
    }
    if (pending.length > 0) schedule();
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    // Wait until all requests of this turn of the event loop have been read: they share the commit.
    // Under load, also wait for those of the next millisecond, because a commit costs more than that.
    if (performance.now() - lastCommit < 2 * groupDelayMs) setTimeout(flush, groupDelayMs);
    else setImmediate(flush);
  };

  const write = <T>(transaction: Transaction<T>) =>
    new Promise<T>((resolve, reject) => {
      if (!isOpen) return reject(new Error('The database is closed.'));
      pending.push({ transaction, resolve: resolve as PendingWrite['resolve'], reject });
      schedule();
    });
  const readNow = <T>(transaction: Transaction<T>) => {
    database.exec('BEGIN');
    try {
      return runStatements(transaction(), execute);
    } finally {
      rollBack(database);
    }
  };

  return {
    engine: 'sqlite',
    write,
    append: write,
    read: async (transaction) => readNow(transaction),
    readNow,
    // Writes an unused header field: a full or read-only disk still serves reads.
    probe: () => write(() => script('PRAGMA user_version = 1')),
    async wipeDeletedRows() {
      const deadline = performance.now() + busyTimeoutMs;
      while (isOpen) {
        if (checkpoint(database)) return true;
        if (performance.now() > deadline) break;
        await new Promise((resolve) => setTimeout(resolve, wipeRetryMs));
      }
      return false;
    },
    copyTo(path) {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      try {
        database.prepare('VACUUM INTO ?').run(path);
      } finally {
        database.exec('PRAGMA busy_timeout = 0');
      }
    },
    writeStats: () => ({ ...stats, waiting: pending.length }),
    lastError: () => lastError,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      // The last writes may block the event loop, because the server is already closed.
      database.exec(`PRAGMA busy_timeout = ${closeTimeoutMs}`);
      while (pending.length > 0) flush();
      database.close();
    },
  };
}

function configure(database: DatabaseSyncInstance, { asIs }: { asIs: boolean }): void {
  if (!asIs) database.exec('PRAGMA journal_mode = WAL');
  // FULL fsyncs every commit. NORMAL would lose the last commits in a power cut.
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  // Overwrite deleted rows in the file.
  database.exec('PRAGMA secure_delete = ON');
  // Visits write to pages spread over the file: a longer log copies each page less often. 4000 pages
  // are 16 MB.
  database.exec('PRAGMA wal_autocheckpoint = 4000');
  // A busy timeout would block the event loop: the write queue retries instead.
  database.exec('PRAGMA busy_timeout = 0');
}

/**
 * The error of an open file that is no longer at its path, so that writes would be lost when the process ends.
 * It has SQLite's error code for this case, which SQLite itself detects in rollback mode only.
 */
const movedDatabase = () =>
  Object.assign(new Error('the database file was moved or deleted'), {
    code: 'SQLITE_READONLY_DBMOVED',
  });

/** Returns device and inode of the file at `path`; undefined if there is none. */
function fileAt(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** Moves the write-ahead log into the file and empties it; false while another process reads it. */
function checkpoint(database: DatabaseSyncInstance): boolean {
  const [row] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all() as { busy: number }[];
  return row?.busy === 0;
}

const isBusy = (error: unknown) => codeOf(error) === 'SQLITE_BUSY';

/**
 * Commits a group and settles its writes. When one of them throws, all run again, each under its own
 * savepoint, so that only that one fails. Throws, without settling any, when the group was rolled back.
 */
function commit(database: DatabaseSyncInstance, execute: Execute, group: PendingWrite[]): void {
  const settlements =
    runTogether(database, execute, group) ?? runSeparately(database, execute, group);
  for (const settle of settlements) settle();
}

/** Commits the group without savepoints; returns undefined when one write threw and all rolled back. */
function runTogether(
  database: DatabaseSyncInstance,
  execute: Execute,
  group: PendingWrite[],
): Settle[] | undefined {
  database.exec('BEGIN IMMEDIATE');
  let results: unknown[];
  try {
    results = group.map(({ transaction }) => runStatements(transaction(), execute));
  } catch {
    rollBack(database);
    return undefined;
  }
  endTransaction(database);
  return group.map(
    ({ resolve }, i) =>
      () =>
        resolve(results[i]),
  );
}

/** Commits the group with each write under its own savepoint, so that a failing one rolls back alone. */
function runSeparately(
  database: DatabaseSyncInstance,
  execute: Execute,
  group: PendingWrite[],
): Settle[] {
  database.exec('BEGIN IMMEDIATE');
  const settlements = group.map(({ transaction, resolve, reject }) => {
    database.exec('SAVEPOINT one_write');
    try {
      const result = runStatements(transaction(), execute);
      database.exec('RELEASE one_write');
      return () => resolve(result);
    } catch (error) {
      // A full disk rolls back the whole transaction, so the whole group fails.
      if (!database.isTransaction) throw error;
      database.exec('ROLLBACK TO one_write');
      database.exec('RELEASE one_write');
      return () => reject(error);
    }
  });
  endTransaction(database);
  return settlements;
}

function endTransaction(database: DatabaseSyncInstance): void {
  try {
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** SQLite may have rolled back by itself, when the disk is full. */
function rollBack(database: DatabaseSyncInstance): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

/** Executes a statement; returns what its `kind` promises. */
type Execute = (statement: Statement) => unknown;

/** Runs the statements of a transaction synchronously; returns its result. */
function runStatements<T>(statements: Statements<T>, execute: Execute): T {
  let step = statements.next();
  while (!step.done) step = statements.next(execute(step.value));
  return step.value;
}

interface Prepared {
  statement: StatementSyncInstance;
  parameterCount: number;
}

function createExecutor(database: DatabaseSyncInstance): Execute {
  const preparedByText = new Map<string, Prepared>();
  const prepare = (text: string) => {
    const cached = preparedByText.get(text);
    if (cached) return cached;
    // Counting is correct because no statement of the stores has a `?` inside quotes.
    const parameterCount = text.split('?').length - 1;
    const prepared = { statement: database.prepare(text), parameterCount };
    preparedByText.set(text, prepared);
    return prepared;
  };
  return ({ kind, sql, values, rows = [] }) => {
    const text = typeof sql === 'string' ? sql : sql.sqlite;
    if (kind === 'script') return void database.exec(text);
    const { statement, parameterCount } = prepare(text);
    const check = (given: readonly Value[]) => checkedValues(text, parameterCount, given);
    if (kind === 'each') return rows.map((row) => statement.run(...check(row)).changes > 0);
    if (kind === 'run') return statement.run(...check(values)).changes;
    // The driver's rows have no prototype, so `isDeepStrictEqual` would not equate them to plain objects.
    return statement.all(...check(values)).map((row) => ({ ...row }));
  };
}
