import type { Migration } from './migration.ts';

export const outbox: Migration = {
  version: 5,
  sql: `
    -- Emails to the owner. Rows are never deleted; the content is deleted once it was sent.
    CREATE TABLE outbox (
      -- Also the Message-ID of the email, so that mail programs can recognize a duplicate.
      id TEXT PRIMARY KEY,
      queued_at INTEGER NOT NULL,
      -- The email as JSON; null once it was sent.
      letter TEXT,
      -- 'waiting', 'sent', or 'refused' (rejected by the mail server for good).
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      -- Time of the next attempt. An attempt moves it ahead first, as a lease against other workers.
      due_at INTEGER NOT NULL,
      settled_at INTEGER,
      error TEXT
    ) STRICT;
    CREATE INDEX outbox_waiting ON outbox (due_at) WHERE state = 'waiting';
    CREATE INDEX outbox_refused ON outbox (queued_at) WHERE state = 'refused';
  `,
};
