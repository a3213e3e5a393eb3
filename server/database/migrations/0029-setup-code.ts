import { sql } from '../sql.ts';
import { integer, type Migration, text } from './migration.ts';

/** The code that opens the set-up in the browser. */
export const setupCode: Migration = {
  version: 29,
  alsoFor: 23,
  sql: sql`
    -- SHA-256. Null: the site was set up, or a password was set in another way.
    ALTER TABLE admin_credential ADD COLUMN setup_code_hash ${text};
    -- When the password was set that it may replace: a release before this one sets another without closing the set-up.
    ALTER TABLE admin_credential ADD COLUMN setup_code_at ${integer};
  `,
};
