import { sql } from '../sql.ts';
import { integer, type Migration, strictByKey, text } from './migration.ts';

/** The owner's log. Sign-ins and refused ones stand in `sign_in_attempt`. */
export const ownerLog: Migration = {
  version: 26,
  alsoFor: 23,
  sql: sql`
    CREATE TABLE owner_log (
      at ${integer} NOT NULL,
      -- Random: distinguishes acts of one millisecond.
      id ${text} NOT NULL,
      -- Such as 'key_created'.
      act ${text} NOT NULL,
      -- Null: a command did it, or the start of the site.
      browser ${text},
      -- A few words, never a secret or a visitor's data.
      detail ${text},
      PRIMARY KEY (at, id)
    ) ${strictByKey};
  `,
};
