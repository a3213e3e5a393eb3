/**
 * The embedded database: one SQLite file, durable at every commit.
 *
 * Writes that arrive together share a group commit: a commit waits for the disk, and a hundred writes in
 * one commit wait once. `write` resolves after that, so a response never promises what is not on disk.
 */
import { rmSync } from 'node:fs';
import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite';
import { codeOf } from '../../errors.ts';
import {
  type Database,
  type PendingWrite,
  type Settle,
  type Statement,
  type Statements,
  script,
  type Transaction,
} from '../database.ts';
import { checkedValues } from '../value.ts';
import { type OpenFiles, trackFiles } from './open-files.ts';
import { rescue } from './rescue.ts';
import { checkpoint, createLogReader, type LogState } from './write-ahead-log.ts';

export interface Sqlite extends Database {
  /** Runs a read-only transaction synchronously. */
  readNow<T>(transaction: Transaction<T>): T;
  /**
   * Writes a snapshot into the file `path`, which must be empty or missing. Other processes can write
   * meanwhile, but this process blocks. The file is not fsynced.
   */
  copyTo(path: string): void;
}

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

/** Interval of checkpoints while writes never pause, in ms. */
const checkpointMs = 60_000;

/** Interval of attempts to save the data of lost files after one failed, in ms. Each blocks the event loop. */
const rescueRetryMs = 60_000;

export interface SqliteTiming {
  /** How long a write waits while another process writes, in ms. */
  busyTimeoutMs?: number;
  /** How often the files are checked, in ms. */
  watchMs?: number;
}

/** Files of the open database that were deleted or replaced, and what became of the data. */
export interface FileLoss {
  /** Paths of the files that are missing or were replaced. */
  files: string[];
  /** The file among the backups that holds the data; undefined: the site continues on a new database. */
  keptIn?: string | undefined;
  /** Why nothing could be saved, so far. */
  error?: unknown;
}

/** Saves the data when files of the open database are deleted or replaced. For one process at a time. */
export interface Recovery {
  /** The folder for the data while another file is at the path of the database. */
  keepIn: string;
  onLoss: (loss: FileLoss) => void;
  /** Free space on the disk of a folder. Only tests override it. */
  freeBytes?: (folder: string) => number;
  /** The files are back, and nothing is lost after an `onLoss` with an error. */
  onReturn: () => void;
}

/**
 * Connections whose files are lost, open until the process exits. To close one would copy its log into the
 * main file, which another program may have written meanwhile.
 */
const leftOpen: Connection[] = [];

interface Connection {
  database: DatabaseSyncInstance;
  execute: Execute;
  files: OpenFiles;
  /** Undefined if there is only the main file. */
  readLog: (() => LogState | undefined) | undefined;
}

/**
 * Opens the database file, or creates it. Commits fail while one of its files is missing or replaced.
 *
 * @param options.asIs keeps a single file without a write-ahead log, for copies that are moved
 * @param options.recovery checks the files each second, and moves the log into the main file when writes pause
 */
export function openSqlite(
  path: string,
  {
    asIs = false,
    busyTimeoutMs = 5000,
    watchMs = 1000,
    recovery,
  }: SqliteTiming & { asIs?: boolean; recovery?: Recovery | undefined } = {},
): Sqlite {
  // Another program rarely takes longer for a checkpoint.
  const options = { asIs, busyTimeoutMs, graceMs: 3 * watchMs };
  let connection = connect(path, options);
  let pending: PendingWrite[] = [];
  let isScheduled = false;
  let busySince: number | undefined;
  let lastCommit = Number.NEGATIVE_INFINITY;
  let isOpen = true;
  const stats = { commits: 0, writes: 0 };
  let lastError: unknown;
  let lastCheckpoint: { at: number; error?: unknown } = { at: 0 };
  /** The data that is among the backups. Until the state of the files changes, there is no more to save. */
  let kept: { keptIn: string; lost: string[]; state: string } | undefined;
  let lastFailure: string | undefined;
  let nextRescue = 0;
  const lostFiles = () => connection.files.lost();
  const isKept = () => lostFiles().join() === kept?.state;
  /** The database has all rows of that file, since every write was refused meanwhile. */
  const deleteKept = () => {
    if (kept) rmSync(kept.keptIn, { force: true });
    kept = undefined;
  };

  /** Saves the data of lost files. Returns whether writes can continue. */
  const recover = (): boolean => {
    if (recovery === undefined || isKept()) return false;
    if (isOpen && performance.now() < nextRescue) return false;
    const { database, files } = connection;
    // The site itself deleted the log beside a file that replaced the database.
    const lost = kept?.lost ?? lostFiles();
    try {
      const keptIn = rescue(database, { ...recovery, path, files });
      if (keptIn === undefined) connection = connect(path, options);
      rollBack(database);
      if (kept?.keptIn !== keptIn) deleteKept();
      if (keptIn === undefined) database.close();
      else kept = { keptIn, lost, state: lostFiles().join() };
      lastFailure = undefined;
      recovery.onLoss({ files: lost, keptIn });
      return keptIn === undefined;
    } catch (error) {
      rollBack(database);
      // Another program writes: the next check tries again.
      if (isBusy(error)) return false;
      nextRescue = performance.now() + rescueRetryMs;
      // A message may hold the random name of the temporary file.
      const failure = codeOf(error) ?? String(error);
      if (failure !== lastFailure) recovery.onLoss({ files: lost, error });
      lastFailure = failure;
      return false;
    }
  };

  /** Checks the files between commits. When writes pause, empties the log, so that few data need it. */
  const watch = () => {
    const { database, files } = connection;
    if (lostFiles().length > 0) {
      lastError = recover() ? undefined : movedDatabase();
      return;
    }
    deleteKept();
    if (lastFailure !== undefined) recovery?.onReturn();
    lastFailure = undefined;
    nextRescue = 0;
    if (isMoved(lastError)) lastError = undefined;
    if (files.isSuspect()) return;
    const now = performance.now();
    const isPaused = now - lastCommit >= watchMs || now - lastCheckpoint.at >= checkpointMs;
    const log = connection.readLog?.();
    const isDue = log?.copiedPages !== log?.pages || lastCheckpoint.error !== undefined;
    if (isPaused && isDue) {
      const error = copyLog(database);
      // The error of a write stays until a write succeeds.
      if (error !== undefined || lastError === lastCheckpoint.error) lastError = error;
      lastCheckpoint = { at: now, error };
      files.accept();
    } else {
      files.acceptSeen();
    }
  };
  const watching = recovery && setInterval(watch, watchMs).unref();

  const flush = () => {
    isScheduled = false;
    const group = pending.splice(0, groupLimit);
    if (group.length === 0) return;
    try {
      // Before the commit, which would make a log that was cut short as long as before.
      if (lostFiles().length > 0) throw movedDatabase();
      // What is written now may have to be saved into new files first.
      if (isOpen && connection.files.isSuspect()) {
        pending = [...group, ...pending];
        isScheduled = true;
        setTimeout(flush, busyRetryMs);
        return;
      }
      commit(connection, group);
      connection.files.accept();
      busySince = undefined;
      lastError = undefined;
      lastCommit = performance.now();
      stats.commits += 1;
      stats.writes += group.length;
    } catch (error) {
      const isLost = lostFiles().length > 0;
      if (isLost && recover()) {
        pending = [...group, ...pending];
        return schedule();
      }
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
      // With other files SQLite may fail in any way.
      lastError = isLost ? movedDatabase() : error;
      for (const { reject } of group) reject(lastError);
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
    const { database, execute } = connection;
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
      while (isOpen && lostFiles().length === 0) {
        const { database, files } = connection;
        if (!files.isSuspect() && checkpoint(database, 'TRUNCATE')) {
          files.accept();
          return true;
        }
        if (performance.now() > deadline) break;
        await new Promise((resolve) => setTimeout(resolve, wipeRetryMs));
      }
      return false;
    },
    copyTo(path) {
      const { database } = connection;
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
      clearInterval(watching);
      // The last writes may block the event loop, because the server is already closed.
      connection.database.exec(`PRAGMA busy_timeout = ${closeTimeoutMs}`);
      // Closing would copy the log into a main file that may be another program's.
      while (lostFiles().length === 0 && connection.files.isSuspect()) {
        await new Promise((resolve) => setTimeout(resolve, watchMs));
      }
      while (pending.length > 0) flush();
      if (lostFiles().length > 0 && !recover()) {
        leftOpen.push(connection);
        if (isKept()) return;
        throw movedDatabase();
      }
      if (watching) copyLog(connection.database);
      connection.database.close();
    },
  };
}

function connect(
  path: string,
  { asIs, busyTimeoutMs, graceMs }: { asIs: boolean; busyTimeoutMs: number; graceMs: number },
): Connection {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    configure(database, { asIs });
    const readLog = asIs ? undefined : createLogReader(database);
    const files = trackFiles(path, { readLog, graceMs });
    return { database, execute: createExecutor(database), files, readLog };
  } catch (error) {
    database.close();
    throw error;
  }
}

function configure(database: DatabaseSyncInstance, { asIs }: { asIs: boolean }): void {
  if (!asIs) {
    database.exec('PRAGMA journal_mode = WAL');
    // Creates the log and its index, whose files are tracked from here on.
    database.exec('SELECT count(*) FROM sqlite_master');
  }
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
 * The error of files that are no longer at their path, so that writes would be lost when the process ends.
 * It has SQLite's error code for this case, which SQLite itself detects in rollback mode only.
 */
const movedDatabase = () =>
  Object.assign(new Error('the database file was moved, deleted or overwritten'), {
    code: 'SQLITE_READONLY_DBMOVED',
  });

/** Copies the log into the main file as far as no other program reads it. Returns the error if that fails. */
function copyLog(database: DatabaseSyncInstance): unknown {
  try {
    checkpoint(database, 'PASSIVE');
    return undefined;
  } catch (error) {
    return error;
  }
}

const isBusy = (error: unknown) => codeOf(error) === 'SQLITE_BUSY';

const isMoved = (error: unknown) => codeOf(error) === 'SQLITE_READONLY_DBMOVED';

/**
 * Commits a group and settles its writes. When one of them throws, all run again, each under its own
 * savepoint, so that only that one fails. Throws, without settling any, when the group was rolled back.
 */
function commit(connection: Connection, group: PendingWrite[]): void {
  const settlements = runTogether(connection, group) ?? runSeparately(connection, group);
  for (const settle of settlements) settle();
}

/** Commits the group without savepoints; returns undefined when one write threw and all rolled back. */
function runTogether(connection: Connection, group: PendingWrite[]): Settle[] | undefined {
  const { database, execute } = connection;
  database.exec('BEGIN IMMEDIATE');
  let results: unknown[];
  try {
    results = group.map(({ transaction }) => runStatements(transaction(), execute));
  } catch {
    rollBack(database);
    return undefined;
  }
  endTransaction(connection);
  return group.map(
    ({ resolve }, i) =>
      () =>
        resolve(results[i]),
  );
}

/** Commits the group with each write under its own savepoint, so that a failing one rolls back alone. */
function runSeparately(connection: Connection, group: PendingWrite[]): Settle[] {
  const { database, execute } = connection;
  database.exec('BEGIN IMMEDIATE');
  let settlements: Settle[];
  try {
    settlements = group.map(({ transaction, resolve, reject }) => {
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
  } catch (error) {
    rollBack(database);
    throw error;
  }
  endTransaction(connection);
  return settlements;
}

function endTransaction({ database, files }: Connection): void {
  try {
    // Under the write lock, which a process takes before it replaces the files.
    if (files.lost().length > 0) throw movedDatabase();
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
  return ({ kind, sql, values }) => {
    const text = typeof sql === 'string' ? sql : sql.sqlite;
    if (kind === 'script') return void database.exec(text);
    const { statement, parameterCount } = prepare(text);
    const checked = checkedValues(text, parameterCount, values);
    if (kind === 'run') return statement.run(...checked).changes;
    // The driver's rows have no prototype, so `isDeepStrictEqual` would not equate them to plain objects.
    return statement.all(...checked).map((row) => ({ ...row }));
  };
}
