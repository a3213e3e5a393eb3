import type { Migration } from '../migrate.ts';

export const outbox: Migration = {
  version: 5,
  sql: `
    -- Letters on their way to the owner. A row is never deleted; its letter is, once it was sent.
    CREATE TABLE outbox (
      -- Also the letter's Message-ID: should it ever be sent twice, its reader can tell.
      id TEXT PRIMARY KEY,
      queued_at INTEGER NOT NULL,
      -- JSON; null once it was sent.
      letter TEXT,
      -- 'waiting', 'sent', or 'refused': the mail server will never take it.
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      -- When it is tried next; whoever tries it moves this on, so that nobody else does.
      due_at INTEGER NOT NULL,
      settled_at INTEGER,
      error TEXT
    ) STRICT;
    CREATE INDEX outbox_waiting ON outbox (due_at) WHERE state = 'waiting';
    CREATE INDEX outbox_refused ON outbox (queued_at) WHERE state = 'refused';
  `,
};
