/** What a store may ask of a database, whichever engine it is. */

import type { Sql } from './sql.ts';
import type { Value } from './value.ts';

/** One statement of a job; the engine answers with its rows, or with how many it changed. */
export interface Statement {
  does: 'run' | 'all' | 'each' | 'script';
  sql: string | Sql;
  values: readonly Value[];
  /** Of `each`: the values of each time. */
  rows?: readonly (readonly Value[])[];
}

/** Statements, one after the other, and what they come to. */
export type Statements<T> = Generator<Statement, T, unknown>;

/**
 * Work on the database: `yield*` hands each statement to the engine, which need not be asked whether it
 * answers at once (SQLite) or later (PostgreSQL). A job must keep nothing outside itself: when
 * something comes in between, it runs again.
 */
export type Transaction<T> = () => Statements<T>;

const none: readonly Value[] = [];

/** Runs a statement; returns the number of rows it changed. */
export function* run(sql: string | Sql, values = none): Statements<number> {
  // The engine answers each kind of statement with what it is asked for.
  return (yield { does: 'run', sql, values }) as number;
}

/** All rows, typed by the caller, who wrote the columns. */
export function* all<Row>(sql: string | Sql, values = none): Statements<Row[]> {
  return (yield { does: 'all', sql, values }) as Row[];
}

/** The first row, typed by the caller, who wrote the columns. */
export function* get<Row>(sql: string | Sql, values = none): Statements<Row | undefined> {
  const rows = yield* all<Row>(sql, values);
  return rows[0];
}

/**
 * Runs a statement for each of these rows, and returns for each whether it has changed anything. On
 * SQLite it takes the values of one row, time after time, which costs least there. On PostgreSQL, where the
 * way costs more than the work, it takes all at once, as `given` has them, and returns the first column of
 * those that have.
 */
export function* each(sql: Sql, rows: readonly (readonly Value[])[]): Statements<boolean[]> {
  return (yield { does: 'each', sql, values: none, rows }) as boolean[];
}

/** Runs statements without values, such as a schema. */
export function* script(sql: string | Sql): Statements<void> {
  yield { does: 'script', sql, values: none };
}

/** Thrown when the database cannot be had now; `cause` says why. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be had now.', { cause });
  }
}

/** Thrown when the database can never do what it is to do; its message tells the owner what to do. */
export class UnsupportedDatabase extends Error {}

export interface Database {
  readonly engine: keyof Sql;
  /**
   * Runs `job` in a transaction shared with the jobs around it; resolves with its result once that is
   * on disk. One at a time, also of several processes on one database: what a job reads stays true
   * until it is done. A job that throws takes back only its own changes.
   */
  write<T>(job: Transaction<T>): Promise<T>;
  /**
   * The same for jobs that only add, and ask nothing that another process could change meanwhile: they
   * need not wait for those of others.
   */
  append<T>(job: Transaction<T>): Promise<T>;
  /** Runs a job that changes nothing. All it reads is of one moment. */
  read<T>(job: Transaction<T>): Promise<T>;
  /** Resolves when a write has reached the disk; leaves nothing behind. */
  probe(): Promise<void>;
  /**
   * Overwrites what is left of deleted rows where the engine would keep it. False: somebody was using
   * it all the while; the next call does it.
   */
  wipeDeletedRows(): Promise<boolean>;
  /** How many commits have reached the disk, of how many jobs, and how many jobs wait for theirs. */
  writeStats(): WriteStats;
  /** Why the last write could not be kept; undefined when it was. */
  lastError(): unknown;
  /** Commits what is waiting and lets the database go. */
  close(): Promise<void>;
}

/** Reads, and changes nothing. */
export type Reader = Pick<Database, 'engine' | 'read'>;

export interface WriteStats {
  commits: number;
  jobs: number;
  waiting: number;
}
