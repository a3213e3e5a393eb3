import type { Migration } from './migration.ts';

const channel = `
  -- 'email', or 'webhook': then the content is the body of the request.
  ALTER TABLE outbox ADD COLUMN channel TEXT NOT NULL DEFAULT 'email';
  DROP INDEX outbox_waiting;
  CREATE INDEX outbox_waiting ON outbox (channel, due_at) WHERE state = 'waiting';
`;

export const webhooks: Migration = {
  version: 19,
  // Programs of schema 7 work with this one: they postpone an event, which they take for an email.
  alsoFor: 7,
  sql: {
    sqlite: channel,
    postgres: channel.replace('TEXT', 'text COLLATE "C"'),
  },
};
