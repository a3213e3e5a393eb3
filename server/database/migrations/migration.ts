import type { Statements } from '../database.ts';
import type { Sql } from '../sql.ts';

/** One migration of the schema. Never edit it after a release: add the next one instead. */
export interface Migration {
  version: number;
  sql: Sql;
  /** Changes that need code, run after the SQL in the same transaction. */
  after?: () => Statements<void>;
  /**
   * The oldest schema version whose programs also work with this one, for rolling updates and
   * rollbacks; the migration's own version where none do.
   */
  alsoFor: number;
}

export const integer: Sql = { sqlite: 'INTEGER', postgres: 'bigint' };

/** `COLLATE "C"` compares text bytewise, like SQLite, whatever the locale of the server. */
export const text: Sql = { sqlite: 'TEXT', postgres: 'text COLLATE "C"' };

export const blob: Sql = { sqlite: 'BLOB', postgres: 'bytea' };

/** Ends a table: SQLite checks the types of its values, as PostgreSQL does. */
export const strict: Sql = { sqlite: 'STRICT', postgres: '' };

/** The same for a table that SQLite stores in the order of its primary key. */
export const strictByKey: Sql = { sqlite: 'STRICT, WITHOUT ROWID', postgres: '' };
