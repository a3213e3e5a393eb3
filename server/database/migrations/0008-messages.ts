import type { Migration } from './migration.ts';

export const messages: Migration = {
  version: 8,
  // Programs of schema 7 work with this one: they leave moved_at null.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- When the message was moved to its folder; null: it arrived there. Retention of older spam counts
      -- from this migration, because earlier versions did not record moves.
      ALTER TABLE contact_message ADD COLUMN moved_at INTEGER;
      UPDATE contact_message SET moved_at = unixepoch() * 1000 WHERE folder = 'spam';

      -- Messages of a flood that wait for a summary email, and those that are in one.
      CREATE INDEX contact_message_for_summary ON contact_message (received_at, id)
        WHERE letter = 'summary';
      CREATE INDEX contact_message_in_summary ON contact_message (letter)
        WHERE letter >= 'summary-' AND letter < 'summary.';
    `,
    postgres: `
      ALTER TABLE contact_message ADD COLUMN moved_at bigint;
      UPDATE contact_message SET moved_at = CAST(extract(epoch FROM now()) AS bigint) * 1000
        WHERE folder = 'spam';

      CREATE INDEX contact_message_for_summary ON contact_message (received_at, id)
        WHERE letter = 'summary';
      CREATE INDEX contact_message_in_summary ON contact_message (letter)
        WHERE letter >= 'summary-' AND letter < 'summary.';
    `,
  },
};
