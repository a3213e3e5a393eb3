import type { Migration } from '../migrate.ts';

export const signIns: Migration = {
  version: 9,
  // Programs of schema 7 ignore the table.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- At most one row: the link that signs the owner in once.
      CREATE TABLE sign_in_link (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        token_hash TEXT NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT;
    `,
    postgres: `
      CREATE TABLE sign_in_link (
        id bigint PRIMARY KEY CHECK (id = 1),
        token_hash text COLLATE "C" NOT NULL,
        expires_at bigint NOT NULL
      );
    `,
  },
};
