import type { Migration } from '../migrate.ts';

export const inbox: Migration = {
  version: 6,
  sql: `
    -- The draft it was sent from, with its words: sent twice, it is one message.
    ALTER TABLE contact_message ADD COLUMN draft TEXT;
    -- 'inbox', 'archive' or 'spam'.
    ALTER TABLE contact_message ADD COLUMN folder TEXT NOT NULL DEFAULT 'inbox';
    ALTER TABLE contact_message ADD COLUMN is_read INTEGER NOT NULL DEFAULT 0;
    -- Why it was taken for spam, as words with spaces between them; null: it was not.
    ALTER TABLE contact_message ADD COLUMN suspicions TEXT;
    -- The row of the outbox that tells the owner of it; null: none does.
    ALTER TABLE contact_message ADD COLUMN letter TEXT;
    UPDATE contact_message SET letter = 'contact-' || id
      WHERE 'contact-' || id IN (SELECT id FROM outbox);

    CREATE UNIQUE INDEX contact_message_draft ON contact_message (draft) WHERE draft IS NOT NULL;
    -- As the owner sees them: a folder, what is unread first, the newest first.
    CREATE INDEX contact_message_listed
      ON contact_message (folder, is_read, received_at DESC, id DESC);
    -- What the letter about spam has yet to tell.
    CREATE INDEX contact_message_untold ON contact_message (received_at)
      WHERE folder = 'spam' AND letter IS NULL;
    -- When the last letter was taken by the mail server.
    CREATE INDEX outbox_sent ON outbox (settled_at) WHERE state = 'sent';
  `,
};
