import type { Migration } from './migration.ts';

export const signIns: Migration = {
  version: 9,
  // Programs of schema 7 work with this one: they ignore both tables.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- At most one row: the link that signs the owner in once.
      CREATE TABLE sign_in_link (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        token_hash TEXT NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT;

      -- Logins and rejected attempts, counted by hour. The address is an IPv4 address or an IPv6 /64.
      CREATE TABLE sign_in_attempt (
        hour INTEGER NOT NULL,
        address TEXT NOT NULL,
        browser TEXT NOT NULL,
        -- 'password' or 'link'.
        method TEXT NOT NULL,
        -- 'accepted', 'wrong' or 'throttled'.
        result TEXT NOT NULL,
        n INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (hour, address, browser, method, result)
      ) STRICT, WITHOUT ROWID;
    `,
    postgres: `
      CREATE TABLE sign_in_link (
        id bigint PRIMARY KEY CHECK (id = 1),
        token_hash text COLLATE "C" NOT NULL,
        expires_at bigint NOT NULL
      );

      CREATE TABLE sign_in_attempt (
        hour bigint NOT NULL,
        address text COLLATE "C" NOT NULL,
        browser text COLLATE "C" NOT NULL,
        method text COLLATE "C" NOT NULL,
        result text COLLATE "C" NOT NULL,
        n bigint NOT NULL,
        last_at bigint NOT NULL,
        PRIMARY KEY (hour, address, browser, method, result)
      );
    `,
  },
};
