import { sql } from '../sql.ts';
import { blob, integer, type Migration, strict, text } from './migration.ts';

/** What the owner connects in the browser. */
export const connection: Migration = {
  version: 28,
  alsoFor: 23,
  sql: sql`
    CREATE TABLE connection (
      -- Such as 'email'.
      name ${text} PRIMARY KEY,
      -- Increases with each change; a cleared connection stays as a row, so that instances notice.
      revision ${integer} NOT NULL,
      -- Encrypted; null: cleared.
      value ${blob},
      changed_at ${integer} NOT NULL
    ) ${strict};
  `,
};
