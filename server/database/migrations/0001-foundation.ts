import type { Migration } from './migration.ts';

export const foundation: Migration = {
  version: 1,
  sql: `
    CREATE TABLE contact_message (
      id TEXT PRIMARY KEY,
      received_at INTEGER NOT NULL,
      name TEXT NOT NULL,
      email TEXT NOT NULL,
      company TEXT,
      message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX contact_message_by_time ON contact_message (received_at);

    -- One row: the admin.
    CREATE TABLE admin_credential (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      password_hash TEXT NOT NULL,
      changed_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE admin_session (
      id_hash TEXT PRIMARY KEY,
      created_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Events: one row for each visitor, UTC day and kind, without personal data.
    CREATE TABLE mark (
      kind INTEGER NOT NULL,
      at INTEGER NOT NULL,
      serial INTEGER NOT NULL,
      control TEXT,
      PRIMARY KEY (kind, at, serial)
    ) STRICT, WITHOUT ROWID;

    -- Sums: n events (or sales, with their cents) of a kind from bucket to bucket + width.
    CREATE TABLE counter (
      width INTEGER NOT NULL,
      bucket INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      n INTEGER NOT NULL,
      cents INTEGER NOT NULL,
      PRIMARY KEY (width, bucket, kind)
    ) STRICT, WITHOUT ROWID;

    -- Hashes of the visitors counted today; deleted with the salt of the day when the day ends.
    CREATE TABLE seen_visitor (
      day INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      visitor BLOB NOT NULL,
      PRIMARY KEY (day, kind, visitor)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE visitor_salt (
      day INTEGER PRIMARY KEY,
      salt BLOB NOT NULL
    ) STRICT;

    CREATE TABLE conversion (
      id TEXT PRIMARY KEY,
      at INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      currency TEXT NOT NULL,
      email TEXT,
      source TEXT
    ) STRICT;
    CREATE INDEX conversion_by_time ON conversion (at, id);
  `,
};
