import { sql } from '../sql.ts';
import { integer, type Migration } from './migration.ts';

/** When a session typed the password again, for acts that ask for it. */
export const confirmedSession: Migration = {
  version: 25,
  alsoFor: 23,
  sql: sql`
    -- Null: not since the sign-in.
    ALTER TABLE admin_session ADD COLUMN confirmed_at ${integer};
  `,
};
