import type { Migration } from './migration.ts';

export const retention: Migration = {
  version: 4,
  sql: `
    -- One row once the retention of events is limited: events before it are deleted, their counts stay.
    -- Always the start of a UTC day.
    CREATE TABLE mark_horizon (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      at INTEGER NOT NULL
    ) STRICT;
  `,
};
