import type { Migration } from './migration.ts';

const added = `
  -- The call-to-action on the site that led to the call.
  ALTER TABLE external_call ADD COLUMN control TEXT;
  -- The call that this one took the place of.
  ALTER TABLE external_call ADD COLUMN moved_from TEXT;
  -- When the newest delivery about the call was made; 0 before this schema.
  ALTER TABLE external_call ADD COLUMN reported_at INTEGER NOT NULL DEFAULT 0;
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
