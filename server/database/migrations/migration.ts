import type { Statements } from '../database.ts';
import type { Sql } from '../sql.ts';

/** One migration of the schema. Never edit it after a release: add the next one instead. */
export interface Migration {
  version: number;
  sql: string | Sql;
  /** Changes that need code, run after the SQL in the same transaction. */
  after?: () => Statements<void>;
  /**
   * The oldest schema version whose programs also work with this one, for rolling updates and
   * rollbacks. Undefined: only programs of this version work with it.
   */
  alsoFor?: number;
}
