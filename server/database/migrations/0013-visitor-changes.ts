import type { Migration } from './migration.ts';

export const visitorChanges: Migration = {
  version: 13,
  // Programs of schema 7 work with this one: the column has a default.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- How often the visitor moved the call. Moves by the owner only increase the sequence.
      ALTER TABLE booking ADD COLUMN visitor_changes INTEGER NOT NULL DEFAULT 0;
    `,
    postgres: `
      ALTER TABLE booking ADD COLUMN visitor_changes bigint NOT NULL DEFAULT 0;
    `,
  },
};
