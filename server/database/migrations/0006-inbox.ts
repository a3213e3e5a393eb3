import type { Migration } from './migration.ts';

export const inbox: Migration = {
  version: 6,
  sql: `
    -- The browser's idempotency key and a hash of the text, so that a retry is stored once.
    ALTER TABLE contact_message ADD COLUMN draft TEXT;
    -- 'inbox', 'archive' or 'spam'.
    ALTER TABLE contact_message ADD COLUMN folder TEXT NOT NULL DEFAULT 'inbox';
    ALTER TABLE contact_message ADD COLUMN is_read INTEGER NOT NULL DEFAULT 0;
    -- Why it was classified as spam, as words separated by spaces; null: it was not.
    ALTER TABLE contact_message ADD COLUMN suspicions TEXT;
    -- The outbox row that notifies the owner of it; null: there is none.
    ALTER TABLE contact_message ADD COLUMN letter TEXT;
    UPDATE contact_message SET letter = 'contact-' || id
      WHERE 'contact-' || id IN (SELECT id FROM outbox);

    CREATE UNIQUE INDEX contact_message_draft ON contact_message (draft) WHERE draft IS NOT NULL;
    -- The order of a folder in the inbox: unread first, then newest first.
    CREATE INDEX contact_message_listed
      ON contact_message (folder, is_read, received_at DESC, id DESC);
    -- Spam that no digest email has reported yet.
    CREATE INDEX contact_message_untold ON contact_message (received_at)
      WHERE folder = 'spam' AND letter IS NULL;
    -- Finds the last email that the mail server accepted.
    CREATE INDEX outbox_sent ON outbox (settled_at) WHERE state = 'sent';
  `,
};
