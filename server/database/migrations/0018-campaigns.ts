import type { Migration } from './migration.ts';

export const campaigns: Migration = {
  version: 18,
  // Programs of schema 7 work with this one: the nightly check adds what they count for a campaign only.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- The source of a campaign, whose name is its path: newsletter/email/spring-sale. Rows have the id of
      -- their campaign, if they have one; counters count them for the campaign and for its source.
      ALTER TABLE source ADD COLUMN parent INTEGER;
    `,
    postgres: `
      ALTER TABLE source ADD COLUMN parent bigint;
    `,
  },
};
