/**
 * The embedded database: one SQLite file, durable at every commit.
 *
 * Writes that arrive together are committed together. A commit waits for the disk; a hundred writes
 * in one commit wait once. `write` resolves only after that, so an answer to the visitor never runs
 * ahead of the disk.
 */
import { statSync } from 'node:fs';
import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite';
import { codeOf } from '../../error-code.ts';
import {
  type Database,
  type Statement,
  type Statements,
  script,
  type Transaction,
} from '../database.ts';
import { checkedValues, type Value } from '../value.ts';

export interface Sqlite extends Database {
  /** Runs a job that changes nothing, now. */
  readNow<T>(job: Transaction<T>): T;
  /**
   * Writes all of it, as it is at this instant, into the file `path`, which must be empty or not there.
   * Others go on writing meanwhile, but for this process, which it blocks. Nothing is fsynced.
   */
  copyTo(path: string): void;
}

interface Waiting {
  job: Transaction<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Most jobs one commit may hold, so that readers are not kept out for long. */
const groupLimit = 1024;

/** How long writes wait for company while they come thick and fast, in ms. */
const gatherTime = 1;

/** How often writes that wait for another process try again, in ms. */
const retryInterval = 10;

/** How often it is tried to empty the write-ahead log while somebody is reading it, in ms. */
const wipeRetryMs = 100;

/** How long the last writes wait for another process, in ms: the process is told to end in ten seconds. */
const lastPatience = 2000;

export interface SqliteTiming {
  /** How long a write waits for another process that is writing. */
  busyTimeoutMs?: number;
}

/**
 * Opens the file, or creates it.
 *
 * @param options.asIs keeps it a single file without a write-ahead log, for copies that are moved
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
  const answer = statementsOf(database);
  const openedFile = fileAt(path);
  let waiting: Waiting[] = [];
  let isScheduled = false;
  let busySince: number | undefined;
  let lastCommit = Number.NEGATIVE_INFINITY;
  let isOpen = true;
  const done = { commits: 0, jobs: 0 };
  let fault: unknown;

  const flush = () => {
    isScheduled = false;
    const group = waiting.splice(0, groupLimit);
    if (group.length === 0) return;
    try {
      if (fileAt(path) !== openedFile) throw new MovedDatabase();
      commit(database, answer, group);
      busySince = undefined;
      fault = undefined;
      lastCommit = performance.now();
      done.commits += 1;
      done.jobs += group.length;
    } catch (error) {
      if (isBusy(error) && isOpen) {
        busySince ??= performance.now();
        if (performance.now() - busySince < busyTimeoutMs) {
          waiting = [...group, ...waiting];
          isScheduled = true;
          setTimeout(flush, retryInterval);
          return;
        }
      }
      busySince = undefined;
      fault = error;
      for (const { reject } of group) reject(error);
    }
    if (waiting.length > 0) schedule();
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    // After the requests of this turn of the event loop have been read: they share the commit. In
    // busy times those of the next millisecond do, too: a commit costs more than waiting for it.
    if (performance.now() - lastCommit < 2 * gatherTime) setTimeout(flush, gatherTime);
    else setImmediate(flush);
  };

  const write = <T>(job: Transaction<T>) =>
    new Promise<T>((resolve, reject) => {
      if (!isOpen) return reject(new Error('The database is closed.'));
      waiting.push({ job, resolve: resolve as Waiting['resolve'], reject });
      schedule();
    });
  const readNow = <T>(job: Transaction<T>) => {
    database.exec('BEGIN');
    try {
      return drive(job(), answer);
    } finally {
      takeBack(database);
    }
  };

  return {
    engine: 'sqlite',
    write,
    append: write,
    read: async (job) => readNow(job),
    readNow,
    // Writes a page that says nothing: a disk that is full or cannot be written still answers questions.
    probe: () => write(() => script('PRAGMA user_version = 1')),
    async wipeDeletedRows() {
      const until = performance.now() + busyTimeoutMs;
      while (isOpen) {
        if (isCheckpointed(database)) return true;
        if (performance.now() > until) break;
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
    writeStats: () => ({ ...done, waiting: waiting.length }),
    lastError: () => fault,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      // The last ones may block: nobody is served any more.
      database.exec(`PRAGMA busy_timeout = ${lastPatience}`);
      while (waiting.length > 0) flush();
      database.close();
    },
  };
}

function configure(database: DatabaseSyncInstance, { asIs }: { asIs: boolean }): void {
  if (!asIs) database.exec('PRAGMA journal_mode = WAL');
  // FULL: a commit is on disk when it returns. NORMAL would not wait, and a power cut would take it.
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  // What is deleted is gone from the file, not only from the tables.
  database.exec('PRAGMA secure_delete = ON');
  // Visitors of one minute fall on pages far apart: the longer the log, the fewer pages it moves into the
  // file again and again. 4000 pages are 16 MB.
  database.exec('PRAGMA wal_autocheckpoint = 4000');
  // From here on nobody may block the process: a write that finds the file busy waits in the queue.
  database.exec('PRAGMA busy_timeout = 0');
}

/**
 * Thrown when the file that was opened is no longer at its path: what is written to it would be lost when
 * the process ends. Carries SQLite's name for it, which SQLite itself checks in rollback mode only.
 */
class MovedDatabase extends Error {
  readonly code = 'SQLITE_READONLY_DBMOVED';
  constructor() {
    super('the database file was moved or deleted');
  }
}

/** Identifies the file at `path` on this machine; undefined while there is none. */
function fileAt(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** Moves the write-ahead log into the file and empties it; false while another process is reading it. */
function isCheckpointed(database: DatabaseSyncInstance): boolean {
  const [row] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all() as { busy: number }[];
  return row?.busy === 0;
}

const isBusy = (error: unknown) => codeOf(error) === 'SQLITE_BUSY';

/**
 * Runs a group in one transaction and settles its jobs. When one of them throws, all run again, each
 * under a savepoint of its own, so that only that one fails. Throws when the transaction itself does;
 * then nothing was kept, and nothing settled.
 */
function commit(database: DatabaseSyncInstance, answer: Answer, group: Waiting[]): void {
  const settle = attempt(database, answer, group) ?? alone(database, answer, group);
  for (const tell of settle) tell();
}

/** What settles each job, or undefined when one threw and everything was taken back. */
function attempt(
  database: DatabaseSyncInstance,
  answer: Answer,
  group: Waiting[],
): (() => void)[] | undefined {
  database.exec('BEGIN IMMEDIATE');
  let results: unknown[];
  try {
    results = group.map(({ job }) => drive(job(), answer));
  } catch {
    takeBack(database);
    return undefined;
  }
  end(database);
  return group.map(
    ({ resolve }, i) =>
      () =>
        resolve(results[i]),
  );
}

function alone(database: DatabaseSyncInstance, answer: Answer, group: Waiting[]): (() => void)[] {
  database.exec('BEGIN IMMEDIATE');
  const settle = group.map(({ job, resolve, reject }) => {
    database.exec('SAVEPOINT job');
    try {
      const result = drive(job(), answer);
      database.exec('RELEASE job');
      return () => resolve(result);
    } catch (error) {
      // A full disk has taken everything back: that is what is wrong, and with all of them.
      if (!database.isTransaction) throw error;
      database.exec('ROLLBACK TO job');
      database.exec('RELEASE job');
      return () => reject(error);
    }
  });
  end(database);
  return settle;
}

function end(database: DatabaseSyncInstance): void {
  try {
    database.exec('COMMIT');
  } catch (error) {
    takeBack(database);
    throw error;
  }
}

/** A full disk may have taken the transaction back already. */
function takeBack(database: DatabaseSyncInstance): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

/** Gives a statement its answer. */
type Answer = (statement: Statement) => unknown;

/** Goes through a job, whose statements are answered at once. */
function drive<T>(steps: Statements<T>, answer: Answer): T {
  let step = steps.next();
  while (!step.done) step = steps.next(answer(step.value));
  return step.value;
}

interface Prepared {
  statement: StatementSyncInstance;
  parameterCount: number;
}

function statementsOf(database: DatabaseSyncInstance): Answer {
  const prepared = new Map<string, Prepared>();
  const prepare = (text: string) => {
    const known = prepared.get(text);
    if (known) return known;
    // No statement of the stores has a `?` inside quotes.
    const made = { statement: database.prepare(text), parameterCount: text.split('?').length - 1 };
    prepared.set(text, made);
    return made;
  };
  return ({ does, sql, values, rows = [] }) => {
    const text = typeof sql === 'string' ? sql : sql.sqlite;
    if (does === 'script') return void database.exec(text);
    const { statement, parameterCount } = prepare(text);
    const check = (given: readonly Value[]) => checkedValues(text, parameterCount, given);
    if (does === 'each') return rows.map((row) => statement.run(...check(row)).changes > 0);
    if (does === 'run') return statement.run(...check(values)).changes;
    // The driver's rows have no prototype, so `isDeepStrictEqual` would tell them from plain objects.
    return statement.all(...check(values)).map((row) => ({ ...row }));
  };
}
