import type { Migration } from '../migrate.ts';

export const emailRefusals: Migration = {
  version: 10,
  alsoFor: 7,
  sql: {
    sqlite: `
      -- How often the mail server answered with a 4xx, and with a 5xx. Tries that got no answer, since
      -- it was unreachable, count in attempts only.
      ALTER TABLE outbox ADD COLUMN deferrals INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE outbox ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
    `,
    postgres: `
      ALTER TABLE outbox ADD COLUMN deferrals bigint NOT NULL DEFAULT 0;
      ALTER TABLE outbox ADD COLUMN refusals bigint NOT NULL DEFAULT 0;
    `,
  },
};
