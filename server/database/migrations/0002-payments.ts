import type { Migration } from '../migrate.ts';

export const payments: Migration = {
  version: 2,
  sql: `
    -- Of amount, in the same cents: given back, and what an open dispute may still take.
    ALTER TABLE conversion ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE conversion ADD COLUMN disputed INTEGER NOT NULL DEFAULT 0;
    -- Who told of it: 'report' (another checkout, a file) or 'payment' (made of payment_event).
    ALTER TABLE conversion ADD COLUMN via TEXT NOT NULL DEFAULT 'report';

    -- Most sales are in dollars, and their sums stand in the counters.
    CREATE INDEX conversion_not_in_dollars ON conversion (at) WHERE currency <> 'USD';

    -- The inbox: what the payment provider told us, word for word, each event once. The sales made of
    -- it can be made again.
    CREATE TABLE payment_event (
      id TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      -- The payment it tells of; null when it tells of none that is a sale here.
      payment TEXT,
      created_at INTEGER NOT NULL,
      received_at INTEGER NOT NULL,
      payload TEXT NOT NULL
    ) STRICT;
    CREATE INDEX payment_event_by_payment ON payment_event (payment) WHERE payment IS NOT NULL;
    CREATE INDEX payment_event_by_time ON payment_event (created_at);
  `,
};
