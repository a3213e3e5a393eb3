/** The database interface that the stores use, the same for SQLite and PostgreSQL. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Query, Sql } from './sql.ts';
import type { Value } from './value.ts';

/** One statement of a transaction; the engine returns its rows, or the number of rows it changed. */
export interface Statement {
  kind: 'run' | 'all' | 'script';
  sql: string | Sql;
  values: readonly Value[];
}

/**
 * A sequence of statements that returns a `T`. It is a generator, so that the same store code runs on
 * the synchronous SQLite driver and on asynchronous PostgreSQL.
 */
export type Statements<T> = Generator<Statement, T, unknown>;

/**
 * A unit of work on the database: a function that returns a generator, because the engine may run it
 * again after a conflict (a retry). It must have no side effects outside the database.
 */
export type Transaction<T> = () => Statements<T>;

/** A write that waits for its group, and its caller. */
export interface PendingWrite {
  transaction: Transaction<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Resolves or rejects the caller of one write. */
export type Settle = () => void;

const noValues: readonly Value[] = [];

/** Runs a statement; returns the number of rows it changed. */
export function* run(sql: string | Sql, values = noValues): Statements<number> {
  // The engine returns the type that belongs to each kind of statement.
  return (yield { kind: 'run', sql, values }) as number;
}

/** Returns all rows. */
export function* all<Row>(query: Query<Row>, values = noValues): Statements<Row[]> {
  return (yield { kind: 'all', sql: query, values }) as Row[];
}

/** Returns the first row, or undefined. */
export function* get<Row>(query: Query<Row>, values = noValues): Statements<Row | undefined> {
  const rows = yield* all(query, values);
  return rows[0];
}

/** Whether the statement returns any row. */
export function* exists(sql: string | Sql, values = noValues): Statements<boolean> {
  return ((yield { kind: 'all', sql, values }) as unknown[]).length > 0;
}

/** Runs one or more statements without parameters, such as a schema. */
export function* script(sql: string | Sql): Statements<void> {
  yield { kind: 'script', sql, values: noValues };
}

export interface Database {
  readonly engine: keyof Sql;
  /**
   * Runs a transaction in a group commit with others that arrive at the same time; resolves with its
   * result once it is on disk.
   *
   * Transactions run one at a time, also across processes on one database, so what one reads stays true
   * until it ends. A transaction that throws rolls back only its own changes.
   */
  write<T>(transaction: Transaction<T>): Promise<T>;
  /**
   * Like `write`, for transactions that only insert and read nothing that another process could change.
   * They do not wait for the write lock of other processes.
   */
  append<T>(transaction: Transaction<T>): Promise<T>;
  /** Runs a read-only transaction; everything it reads comes from one snapshot. */
  read<T>(transaction: Transaction<T>): Promise<T>;
  /** Resolves once a test write has reached the disk; leaves no data behind. */
  probe(): Promise<void>;
  /**
   * Overwrites the remains of deleted rows where the engine would keep them. Resolves with false when
   * another process used the database all the time; call it again later.
   */
  wipeDeletedRows(): Promise<boolean>;
  /** Counters of the write queue since the database was opened. */
  writeStats(): WriteStats;
  /** The error of the last write; undefined if it succeeded. */
  lastError(): unknown;
  /** Commits pending writes and closes the database. */
  close(): Promise<void>;
}

/** The read-only part of a database. */
export type Reader = Pick<Database, 'engine' | 'read'>;

export interface WriteStats {
  /** Group commits that reached the disk. */
  commits: number;
  /** Calls to `write` and `append` that these commits contain. */
  writes: number;
  /** Calls that wait for their commit. */
  waiting: number;
}

/**
 * Repeats a transaction until it changes no more rows, so that visitors' writes can run in between. Returns
 * the number of all changed rows.
 */
export async function writeUntilDone(
  { write }: Pick<Database, 'write'>,
  transaction: Transaction<number>,
): Promise<number> {
  for (let total = 0; ; ) {
    const changed = await write(transaction);
    if (changed === 0) return total;
    total += changed;
  }
}

/**
 * Yields all rows, each batch from a snapshot of its own, so that a slow consumer holds no transaction open.
 * `next` selects at most `limit` rows after `last`, which is undefined at first.
 */
export async function* readInBatches<Row>(
  { read }: Pick<Reader, 'read'>,
  next: (last: Row | undefined, limit: number) => Statements<Row[]>,
  batchRows = 200,
): AsyncIterable<Row> {
  let last: Row | undefined;
  do {
    const rows: Row[] = await read(() => next(last, batchRows));
    yield* rows;
    last = rows.length < batchRows ? undefined : rows.at(-1);
    // A server in the same process must keep responding.
    await yieldToEventLoop();
  } while (last !== undefined);
}
