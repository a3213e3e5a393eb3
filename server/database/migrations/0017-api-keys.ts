import type { Migration } from './migration.ts';

export const apiKeys: Migration = {
  version: 17,
  // Programs of schema 7 work with this one: they ignore the table.
  alsoFor: 7,
  sql: {
    sqlite: `
      CREATE TABLE api_key (
        -- The first characters of the key, by which the owner recognizes it.
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        -- SHA-256 of the key.
        hash TEXT NOT NULL,
        -- Separated by spaces.
        scopes TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        -- Stored once an hour at most; null: never used.
        used_at INTEGER
      ) STRICT, WITHOUT ROWID;
    `,
    postgres: `
      CREATE TABLE api_key (
        id text COLLATE "C" PRIMARY KEY,
        name text COLLATE "C" NOT NULL,
        hash text COLLATE "C" NOT NULL,
        scopes text COLLATE "C" NOT NULL,
        created_at bigint NOT NULL,
        used_at bigint
      );
    `,
  },
};
