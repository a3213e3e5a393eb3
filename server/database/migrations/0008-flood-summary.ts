import type { Migration } from '../migrate.ts';

/** Finds the messages that wait for the summary of a flood: their `letter` says so until it is written. */
export const floodSummary: Migration = {
  version: 8,
  sql: `
    CREATE INDEX contact_message_for_summary ON contact_message (received_at, id)
      WHERE letter = 'summary';
  `,
  alsoFor: 7,
};
