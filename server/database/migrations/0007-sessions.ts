import type { Migration } from '../migrate.ts';

export const sessions: Migration = {
  version: 7,
  sql: `
    -- Which browser it is, in our words: 'Firefox on Linux'.
    ALTER TABLE admin_session ADD COLUMN browser TEXT NOT NULL DEFAULT '';

    -- When every browser was signed out last: one that was known before is a stranger since.
    ALTER TABLE admin_credential ADD COLUMN signed_out_at INTEGER NOT NULL DEFAULT 0;
  `,
};
