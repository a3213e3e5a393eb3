/**
 * The embedded database: one SQLite file, durable at every commit.
 *
 * Writes that arrive together are committed together. A commit waits for the disk; a hundred writes
 * in one commit wait once. `write` resolves only after that, so an answer to the visitor never runs
 * ahead of the disk.
 */
import Libsql from 'libsql';
import { codeOf } from '../error-code.ts';
import { bind, unbound, type Value } from './bind.ts';

/** Statements on the database, as they may be used inside one job. */
export interface Tx {
  /** Runs a statement; returns the number of rows it changed. */
  run(sql: string, values?: readonly Value[]): number;
  /** The first row, typed by the caller, who wrote the columns. */
  get<Row>(sql: string, values?: readonly Value[]): Row | undefined;
  all<Row>(sql: string, values?: readonly Value[]): Row[];
  /** Runs statements without values, such as a schema. */
  script(sql: string): void;
}

export interface Sqlite {
  /**
   * Runs `job` in a transaction shared with the jobs around it; resolves with its result once that
   * is on disk. A job that throws takes back only its own changes. It must not keep state: when a
   * neighbour fails, it runs again.
   */
  write<T>(job: (tx: Tx) => T): Promise<T>;
  read<T>(job: (tx: Pick<Tx, 'get' | 'all'>) => T): T;
  /**
   * Overwrites what is left of deleted rows in the write-ahead log. False: somebody was using it all
   * the while; the next call does it.
   */
  shred(): Promise<boolean>;
  /**
   * Writes all of it, as it is at this instant, into the file `path`, which must be empty or not there.
   * Others go on writing meanwhile, but for this process, which it blocks. Nothing is fsynced.
   */
  copyTo(path: string): void;
  /** How many commits have reached the disk, of how many jobs, and how many jobs wait for theirs. */
  work(): Work;
  /** Why the last write could not be kept; undefined when it was. */
  fault(): unknown;
  /** Commits what is waiting and lets the file go. */
  close(): Promise<void>;
}

interface Work {
  commits: number;
  jobs: number;
  waiting: number;
}

interface Waiting {
  job: (tx: Tx) => unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Most jobs one commit may hold, so that readers are not kept out for long. */
const groupLimit = 1024;

/** How long writes wait for company while they come thick and fast, in ms. */
const gatherTime = 1;

/** How long writes wait for another process that is writing, and how often they look, in ms. */
const patience = 5000;
const lookEvery = 10;

/** How often it is tried to empty the write-ahead log while somebody is reading it, in ms. */
const shredEvery = 100;

/** How long the last writes wait for another process, in ms: the process is told to end in ten seconds. */
const lastPatience = 2000;

/**
 * Opens the file, or makes it. `asIs` leaves it the one file it is, with no write-ahead log beside it:
 * for copies that are carried about.
 */
export function openSqlite(path: string, { asIs = false } = {}): Sqlite {
  const database = new Libsql(path, { timeout: patience });
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
  const tx = statementsOf(database);
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
      commit(database, tx, group);
      busySince = undefined;
      fault = undefined;
      lastCommit = performance.now();
      done.commits += 1;
      done.jobs += group.length;
    } catch (error) {
      busySince ??= performance.now();
      if (isBusy(error) && isOpen && performance.now() - busySince < patience) {
        waiting = [...group, ...waiting];
        isScheduled = true;
        setTimeout(flush, lookEvery);
        return;
      }
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

  return {
    write: <T>(job: (tx: Tx) => T) =>
      new Promise<T>((resolve, reject) => {
        if (!isOpen) return reject(new Error('The database is closed.'));
        waiting.push({ job, resolve: resolve as Waiting['resolve'], reject });
        schedule();
      }),
    read: (job) => job(tx),
    async shred() {
      const until = performance.now() + patience;
      while (isOpen) {
        if (isCheckpointed(database)) return true;
        if (performance.now() > until) break;
        await new Promise((resolve) => setTimeout(resolve, shredEvery));
      }
      return false;
    },
    copyTo(path) {
      database.exec(`PRAGMA busy_timeout = ${patience}`);
      try {
        tx.run('VACUUM INTO ?', [path]);
      } finally {
        database.exec('PRAGMA busy_timeout = 0');
      }
    },
    work: () => ({ ...done, waiting: waiting.length }),
    fault: () => fault,
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

/** Moves the write-ahead log into the file and empties it; false while another process is reading it. */
function isCheckpointed(database: Libsql.Database): boolean {
  const [row] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all() as { busy: number }[];
  return row?.busy === 0;
}

const isBusy = (error: unknown) => codeOf(error) === 'SQLITE_BUSY';

/**
 * Runs a group in one transaction and settles its jobs. When one of them throws, all run again, each
 * under a savepoint of its own, so that only that one fails. Throws when the transaction itself does;
 * then nothing was kept, and nothing settled.
 */
function commit(database: Libsql.Database, tx: Tx, group: Waiting[]): void {
  const settle = attempt(database, group, ({ job }) => job(tx)) ?? alone(database, tx, group);
  for (const tell of settle) tell();
}

/** What settles each job, or undefined when one threw and everything was taken back. */
function attempt(
  database: Libsql.Database,
  group: Waiting[],
  run: (waiting: Waiting) => unknown,
): (() => void)[] | undefined {
  database.exec('BEGIN IMMEDIATE');
  let results: unknown[];
  try {
    results = group.map(run);
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

function alone(database: Libsql.Database, tx: Tx, group: Waiting[]): (() => void)[] {
  database.exec('BEGIN IMMEDIATE');
  const settle = group.map(({ job, resolve, reject }) => {
    database.exec('SAVEPOINT job');
    try {
      const result = job(tx);
      database.exec('RELEASE job');
      return () => resolve(result);
    } catch (error) {
      // A full disk has taken everything back: that is what is wrong, and with all of them.
      if (!database.inTransaction) throw error;
      database.exec('ROLLBACK TO job');
      database.exec('RELEASE job');
      return () => reject(error);
    }
  });
  end(database);
  return settle;
}

function end(database: Libsql.Database): void {
  try {
    database.exec('COMMIT');
  } catch (error) {
    takeBack(database);
    throw error;
  }
}

/** A full disk may have taken the transaction back already. */
function takeBack(database: Libsql.Database): void {
  if (database.inTransaction) database.exec('ROLLBACK');
}

function statementsOf(database: Libsql.Database): Tx {
  const prepared = new Map<string, Libsql.Statement<unknown[]>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql);
    if (known) return known;
    const made = database.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  const all = <Row>(sql: string, values: readonly Value[] = []) =>
    statement(sql).all(bind(sql, values)).map(unbound) as Row[];
  return {
    run: (sql, values = []) => statement(sql).run(bind(sql, values)).changes,
    // By way of the list: the driver adds a column of its own to a row it gets alone.
    get: <Row>(sql: string, values?: readonly Value[]) => all<Row>(sql, values)[0],
    all,
    script: (sql) => void database.exec(sql),
  };
}
