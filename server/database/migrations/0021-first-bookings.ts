import type { Migration } from './migration.ts';

const added = `
  -- State 'requested': the owner has not confirmed the call.
  -- The call-to-action on the site that led to the call.
  ALTER TABLE external_call ADD COLUMN control TEXT;
  -- The call that this one took the place of.
  ALTER TABLE external_call ADD COLUMN moved_from TEXT;
  -- When the newest delivery about the call was made; before this schema when it was booked, as far as known.
  ALTER TABLE external_call ADD COLUMN reported_at INTEGER NOT NULL DEFAULT 0;
  UPDATE external_call SET reported_at = coalesce(booked_at, 0);
  CREATE INDEX external_call_by_predecessor ON external_call (moved_from) WHERE moved_from IS NOT NULL;
`;

export const firstBookings: Migration = {
  version: 21,
  // Programs of schema 7 work with this one: they ignore the table or these columns.
  alsoFor: 7,
  sql: {
    sqlite: added,
    postgres: added.replaceAll('TEXT', 'text COLLATE "C"').replace('INTEGER', 'bigint'),
  },
};
