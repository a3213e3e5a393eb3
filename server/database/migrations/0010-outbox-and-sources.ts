import { cleanSources } from '../../attribution/clean-sources-sql.ts';
import { sourceText } from '../../attribution/source-name.ts';
import { all, run, type Steps } from '../database.ts';
import type { Migration } from '../migrate.ts';

export const outboxAndSources: Migration = {
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
  after: removePersonsFromSources,
};

/** Sources of sales could hold an email address, also those of events whose person had been erased. */
function* removePersonsFromSources(): Steps<void> {
  yield* cleanSources();
  const erased = yield* all<{ id: string; payload: string }>(
    `SELECT id, payload FROM payment_event
     WHERE payload LIKE '{"redacted":true,%' AND payload LIKE '%"utm_source"%'`,
  );
  for (const { id, payload } of erased) {
    const clean = JSON.stringify(JSON.parse(payload, cleanSource));
    if (clean !== payload) {
      yield* run('UPDATE payment_event SET payload = ? WHERE id = ?', [clean, id]);
    }
  }
}

const cleanSource = (name: string, value: unknown) =>
  name === 'utm_source' && typeof value === 'string' ? sourceText(value) : value;
