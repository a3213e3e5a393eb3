import type { Migration } from './migration.ts';

export const payments: Migration = {
  version: 2,
  sql: `
    -- Parts of amount, in the same cents: refunded, and held by an open dispute.
    ALTER TABLE conversion ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE conversion ADD COLUMN disputed INTEGER NOT NULL DEFAULT 0;
    -- The origin of the row: 'report' (another checkout, a file) or 'payment' (derived from payment_event).
    ALTER TABLE conversion ADD COLUMN via TEXT NOT NULL DEFAULT 'report';

    -- Sums in dollars come from counter; this index finds the few sales in other currencies.
    CREATE INDEX conversion_not_in_dollars ON conversion (at) WHERE currency <> 'USD';

    -- The payment provider's events, verbatim, each once. The sales derived from them can be rebuilt.
    CREATE TABLE payment_event (
      id TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      -- The payment it belongs to; null when that is not a sale of this site.
      payment TEXT,
      created_at INTEGER NOT NULL,
      received_at INTEGER NOT NULL,
      payload TEXT NOT NULL
    ) STRICT;
    CREATE INDEX payment_event_by_payment ON payment_event (payment) WHERE payment IS NOT NULL;
    CREATE INDEX payment_event_by_time ON payment_event (created_at);
  `,
};
