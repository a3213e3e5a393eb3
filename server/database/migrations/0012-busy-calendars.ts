import type { Migration } from './migration.ts';

export const busyCalendars: Migration = {
  version: 12,
  // Programs of schema 7 work with this one: they ignore both tables.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- The owner's other calendars. The id is a hash of the address, which is a secret.
      CREATE TABLE busy_calendar (
        id TEXT PRIMARY KEY,
        -- When it was last tried, and last read as a whole; null: never.
        tried_at INTEGER NOT NULL,
        read_at INTEGER,
        -- Validators of the last response.
        etag TEXT,
        modified TEXT,
        -- Why it cannot be read, and since when; null: it can.
        error TEXT,
        failing_since INTEGER
      ) STRICT;

      -- The times at which a calendar is busy, without what for.
      CREATE TABLE busy_span (
        calendar TEXT NOT NULL,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        PRIMARY KEY (calendar, starts_at, ends_at)
      ) STRICT, WITHOUT ROWID;
    `,
    postgres: `
      CREATE TABLE busy_calendar (
        id text COLLATE "C" PRIMARY KEY,
        tried_at bigint NOT NULL,
        read_at bigint,
        etag text COLLATE "C",
        modified text COLLATE "C",
        error text COLLATE "C",
        failing_since bigint
      );

      CREATE TABLE busy_span (
        calendar text COLLATE "C" NOT NULL,
        starts_at bigint NOT NULL,
        ends_at bigint NOT NULL,
        PRIMARY KEY (calendar, starts_at, ends_at)
      );
    `,
  },
};
