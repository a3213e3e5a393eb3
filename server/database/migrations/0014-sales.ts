import type { Migration } from './migration.ts';

export const sales: Migration = {
  version: 14,
  // Programs of schema 7 work with this one: the next start of this version adopts the sales they add.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- Sales reported by other checkouts and files: what each report said, as of reported_at.
      CREATE TABLE sale_report (
        id TEXT NOT NULL,
        reported_at INTEGER NOT NULL,
        at INTEGER NOT NULL,
        amount INTEGER NOT NULL,
        refunded INTEGER NOT NULL,
        disputed INTEGER NOT NULL,
        currency TEXT NOT NULL,
        email TEXT,
        source TEXT,
        first_source TEXT,
        control TEXT,
        PRIMARY KEY (id, reported_at)
      ) STRICT, WITHOUT ROWID;

      -- Money of counted sales by its own date. Refunds and disputes add up to conversion.refunded.
      CREATE TABLE sale_entry (
        sale TEXT NOT NULL,
        n INTEGER NOT NULL,
        at INTEGER NOT NULL,
        -- 'refund', 'dispute' (lost), or 'tax' that the sale contains.
        kind TEXT NOT NULL,
        amount INTEGER NOT NULL,
        currency TEXT NOT NULL,
        PRIMARY KEY (sale, n)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sale_entry_by_time ON sale_entry (at, kind, currency, amount);

      -- Stripe's fees, by the id of their balance transaction. Their currency is that of the payout.
      CREATE TABLE stripe_fee (
        id TEXT PRIMARY KEY,
        payment TEXT NOT NULL,
        at INTEGER NOT NULL,
        amount INTEGER NOT NULL,
        currency TEXT NOT NULL
      ) STRICT;
      CREATE INDEX stripe_fee_by_time ON stripe_fee (at);

      -- Two sales with the same buyer, amount and minute, and what the owner said about them.
      CREATE TABLE sale_doubt (
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        -- 'one' sale or 'two'; null: not decided.
        verdict TEXT,
        -- The sale that does not count.
        dropped TEXT,
        PRIMARY KEY (first, second)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sale_doubt_dropped ON sale_doubt (dropped) WHERE dropped IS NOT NULL;

      -- The currency whose cents counter holds, in its only row; US dollars without one.
      CREATE TABLE counted_currency (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        currency TEXT NOT NULL
      ) STRICT;
      DROP INDEX conversion_not_in_dollars;
      CREATE INDEX conversion_by_currency ON conversion (currency, at);
      -- The few sales that do not count.
      CREATE INDEX conversion_of_others ON conversion (at) WHERE via = 'other';
    `,
    postgres: `
      CREATE TABLE sale_report (
        id text COLLATE "C" NOT NULL,
        reported_at bigint NOT NULL,
        at bigint NOT NULL,
        amount bigint NOT NULL,
        refunded bigint NOT NULL,
        disputed bigint NOT NULL,
        currency text COLLATE "C" NOT NULL,
        email text COLLATE "C",
        source text COLLATE "C",
        first_source text COLLATE "C",
        control text COLLATE "C",
        PRIMARY KEY (id, reported_at)
      );

      CREATE TABLE sale_entry (
        sale text COLLATE "C" NOT NULL,
        n bigint NOT NULL,
        at bigint NOT NULL,
        kind text COLLATE "C" NOT NULL,
        amount bigint NOT NULL,
        currency text COLLATE "C" NOT NULL,
        PRIMARY KEY (sale, n)
      );
      CREATE INDEX sale_entry_by_time ON sale_entry (at, kind, currency, amount);

      CREATE TABLE stripe_fee (
        id text COLLATE "C" PRIMARY KEY,
        payment text COLLATE "C" NOT NULL,
        at bigint NOT NULL,
        amount bigint NOT NULL,
        currency text COLLATE "C" NOT NULL
      );
      CREATE INDEX stripe_fee_by_time ON stripe_fee (at);

      CREATE TABLE sale_doubt (
        first text COLLATE "C" NOT NULL,
        second text COLLATE "C" NOT NULL,
        verdict text COLLATE "C",
        dropped text COLLATE "C",
        PRIMARY KEY (first, second)
      );
      CREATE INDEX sale_doubt_dropped ON sale_doubt (dropped) WHERE dropped IS NOT NULL;

      CREATE TABLE counted_currency (
        id bigint PRIMARY KEY CHECK (id = 1),
        currency text COLLATE "C" NOT NULL
      );
      DROP INDEX conversion_not_in_dollars;
      CREATE INDEX conversion_by_currency ON conversion (currency, at);
      -- The few sales that do not count.
      CREATE INDEX conversion_of_others ON conversion (at) WHERE via = 'other';
    `,
  },
};
