import type { Migration } from './migration.ts';

export const sessions: Migration = {
  version: 7,
  sql: `
    -- A short description of the browser: 'Firefox on Linux'.
    ALTER TABLE admin_session ADD COLUMN browser TEXT NOT NULL DEFAULT '';

    -- When all browsers were signed out last; known-device tokens from before that are invalid.
    ALTER TABLE admin_credential ADD COLUMN signed_out_at INTEGER NOT NULL DEFAULT 0;
  `,
};
