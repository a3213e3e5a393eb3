import type { Migration } from './migration.ts';

export const emailRefusals: Migration = {
  version: 10,
  alsoFor: 7,
  sql: {
    sqlite: `
      -- Number of 4xx and of 5xx replies of the mail server. Attempts without a reply, because it was
      -- unreachable, count in attempts only.
      ALTER TABLE outbox ADD COLUMN deferrals INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE outbox ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
    `,
    postgres: `
      ALTER TABLE outbox ADD COLUMN deferrals bigint NOT NULL DEFAULT 0;
      ALTER TABLE outbox ADD COLUMN refusals bigint NOT NULL DEFAULT 0;
    `,
  },
};
