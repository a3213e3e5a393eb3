/**
 * The embedded database: one SQLite file, durable at every commit.
 *
 * Writes that arrive together are committed together. A commit waits for the disk; a hundred writes
 * in one commit wait once. `write` resolves only after that, so an answer to the visitor never runs
 * ahead of the disk.
 */
import Libsql from 'libsql';
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
  /** Commits what is waiting and lets the file go. */
  close(): Promise<void>;
}

interface Waiting {
  job: (tx: Tx) => unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Most jobs one commit may hold, so that readers are not kept out for long. */
const groupLimit = 1024;

export function openSqlite(path: string): Sqlite {
  const database = new Libsql(path, { timeout: 5000 });
  database.exec('PRAGMA journal_mode = WAL');
  // FULL: a commit is on disk when it returns. NORMAL would not wait, and a power cut would take it.
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  const tx = statementsOf(database);
  const waiting: Waiting[] = [];
  let scheduled = false;
  let isOpen = true;

  const flush = () => {
    scheduled = false;
    const group = waiting.splice(0, groupLimit);
    if (waiting.length > 0) schedule();
    if (group.length > 0) commit(database, tx, group);
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    // After the requests of this turn of the event loop have been read: they share the commit.
    setImmediate(flush);
  };

  return {
    write: <T>(job: (tx: Tx) => T) =>
      new Promise<T>((resolve, reject) => {
        if (!isOpen) return reject(new Error('The database is closed.'));
        waiting.push({ job, resolve: resolve as Waiting['resolve'], reject });
        schedule();
      }),
    read: (job) => job(tx),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      while (waiting.length > 0) flush();
      database.close();
    },
  };
}

/** Runs a group in one transaction; if a job fails, each alone, so that only that one does. */
function commit(database: Libsql.Database, tx: Tx, group: Waiting[]): void {
  try {
    const results = inTransaction(database, () => group.map(({ job }) => job(tx)));
    group.forEach(({ resolve }, i) => void resolve(results[i]));
  } catch (error) {
    const [only, ...others] = group;
    if (only && others.length === 0) only.reject(error);
    else for (const waiting of group) commit(database, tx, [waiting]);
  }
}

function inTransaction<T>(database: Libsql.Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
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
