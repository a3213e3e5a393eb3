import type { Migration } from './migration.ts';

export const bookings: Migration = {
  version: 11,
  // Programs of schema 7 work with this one: they ignore the table.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- Calls that visitors booked, and times that the owner blocked. A booking stays one row: moving it
      -- changes starts_at, so that its id, its link and its calendar event stay the same.
      CREATE TABLE booking (
        id TEXT PRIMARY KEY,
        -- 'strategy-call' or 'inbox-review'; null for a blocked time.
        call TEXT,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        -- Time to keep free before and after it, in ms.
        gap INTEGER NOT NULL,
        -- 'booked', 'cancelled' or 'blocked'.
        state TEXT NOT NULL,
        -- Increases with each change: the version of the calendar event.
        sequence INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        -- Key of the form and a hash of its time and address: a retry is not stored again.
        idempotency_key TEXT,
        name TEXT,
        email TEXT,
        -- Time zone of the visitor.
        time_zone TEXT,
        -- What the visitor wrote with the booking.
        note TEXT,
        -- JSON: the visitor's answers by question.
        answers TEXT,
        -- What the owner wrote about the call or the blocked time.
        owner_note TEXT,
        -- Name of the source of the visit, and the call-to-action.
        source TEXT,
        control TEXT
      ) STRICT;
      CREATE UNIQUE INDEX booking_start ON booking (starts_at) WHERE state IN ('booked', 'blocked');
      CREATE UNIQUE INDEX booking_key ON booking (idempotency_key) WHERE idempotency_key IS NOT NULL;
      CREATE INDEX booking_end ON booking (ends_at);
    `,
    postgres: `
      CREATE TABLE booking (
        id text COLLATE "C" PRIMARY KEY,
        call text COLLATE "C",
        starts_at bigint NOT NULL,
        ends_at bigint NOT NULL,
        gap bigint NOT NULL,
        state text COLLATE "C" NOT NULL,
        sequence bigint NOT NULL,
        created_at bigint NOT NULL,
        changed_at bigint NOT NULL,
        idempotency_key text COLLATE "C",
        name text COLLATE "C",
        email text COLLATE "C",
        time_zone text COLLATE "C",
        note text COLLATE "C",
        answers text COLLATE "C",
        owner_note text COLLATE "C",
        source text COLLATE "C",
        control text COLLATE "C"
      );
      CREATE UNIQUE INDEX booking_start ON booking (starts_at) WHERE state IN ('booked', 'blocked');
      CREATE UNIQUE INDEX booking_key ON booking (idempotency_key) WHERE idempotency_key IS NOT NULL;
      CREATE INDEX booking_end ON booking (ends_at);
    `,
  },
};
