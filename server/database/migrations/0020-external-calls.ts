import type { Migration } from './migration.ts';

export const externalCalls: Migration = {
  version: 20,
  // Programs of schema 7 work with this one: they ignore the table.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- Calls that visitors booked at Calendly or Cal.com. It holds nothing about the visitors.
      CREATE TABLE external_call (
        -- Address of the invitee at Calendly, or cal: and the booking's uid at Cal.com.
        id TEXT PRIMARY KEY,
        -- 'booked', 'cancelled', or 'moved': another call took its place.
        state TEXT NOT NULL,
        -- Null until the delivery of the booking has arrived.
        booked_at INTEGER,
        starts_at INTEGER NOT NULL,
        -- Name of the source in the booking link.
        source TEXT
      ) STRICT;
    `,
    postgres: `
      CREATE TABLE external_call (
        id text COLLATE "C" PRIMARY KEY,
        state text COLLATE "C" NOT NULL,
        booked_at bigint,
        starts_at bigint NOT NULL,
        source text COLLATE "C"
      );
    `,
  },
};
