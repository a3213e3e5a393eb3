import { sourceNamed } from '../../attribution/source-name.ts';
import { handTyped } from '../columns.ts';
import { all, run, type Statements, script } from '../database.ts';
import type { Migration } from './migration.ts';

export const sources: Migration = {
  version: 3,
  sql: `
    -- Traffic sources. 1 is direct traffic; 2 ('other') collects sources beyond the limit.
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      name TEXT UNIQUE CHECK (name IS NOT NULL OR id = 1),
      -- The UTC day it was first seen, as a number since 1970; 0: it came with the owner's checkout or file.
      first_day INTEGER NOT NULL
    ) STRICT;
    INSERT INTO source (id, name, first_day) VALUES (1, NULL, 0), (2, 'other', 0);

    ALTER TABLE mark ADD COLUMN source INTEGER NOT NULL DEFAULT 1;
    -- The source of the visitor's first view of the day; later events of that day are attributed to it.
    ALTER TABLE seen_visitor ADD COLUMN source INTEGER NOT NULL DEFAULT 1;

    -- The source it is counted under; column source keeps the text of the checkout.
    ALTER TABLE conversion ADD COLUMN source_id INTEGER NOT NULL DEFAULT 1;
    -- First-touch source of the buyer, and the call-to-action that led to the checkout, where known.
    ALTER TABLE conversion ADD COLUMN first_source TEXT;
    ALTER TABLE conversion ADD COLUMN control TEXT;

    -- Counters by source, and for all sources together (source 0). Only source 0 has counters by the
    -- minute: by source, they would need nearly one row for each visit.
    ALTER TABLE counter RENAME TO counter_of_all;
    CREATE TABLE counter (
      source INTEGER NOT NULL,
      width INTEGER NOT NULL,
      bucket INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      n INTEGER NOT NULL,
      cents INTEGER NOT NULL,
      PRIMARY KEY (source, width, bucket, kind)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO counter SELECT 0, width, bucket, kind, n, cents FROM counter_of_all;
    INSERT INTO counter SELECT 1, width, bucket, kind, n, cents FROM counter_of_all
      WHERE kind <= 3 AND width > 60000;
    DROP TABLE counter_of_all;

    -- Excluded counts by hour and reason.
    CREATE TABLE uncounted (
      hour INTEGER NOT NULL,
      reason TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (hour, reason)
    ) STRICT, WITHOUT ROWID;

    -- Secret keys that must not change while rows depend on them.
    CREATE TABLE secret (
      name TEXT PRIMARY KEY,
      value BLOB NOT NULL
    ) STRICT;
  `,
  after: countSalesBySource,
};

/** Assigns sources to existing sales, and adds their counters by source. */
function* countSalesBySource(): Statements<void> {
  const texts = yield* all(
    handTyped<{ source: string }>(
      'SELECT DISTINCT source FROM conversion WHERE source IS NOT NULL ORDER BY source',
    ),
  );
  yield* script('CREATE TEMP TABLE source_text (text TEXT PRIMARY KEY, name TEXT NOT NULL)');
  for (const { source } of texts) {
    const name = sourceNamed(source);
    if (name === null) continue;
    yield* run('INSERT INTO source (name, first_day) VALUES (?, 0) ON CONFLICT DO NOTHING', [name]);
    yield* run('INSERT INTO source_text (text, name) VALUES (?, ?)', [source, name]);
  }
  yield* script(`
    UPDATE conversion SET source_id = source.id
    FROM source_text JOIN source ON source.name = source_text.name
    WHERE conversion.source = source_text.text;
    DROP TABLE source_text;
  `);
  const sums = [
    `4, sum(amount > refunded OR amount = 0), sum((amount - refunded) * (currency = 'USD'))`,
    `5, sum(refunded > 0), sum(refunded * (currency = 'USD'))`,
    `6, sum(disputed > 0), sum(disputed * (currency = 'USD'))`,
  ];
  for (const width of [3_600_000, 86_400_000]) {
    for (const sum of sums) {
      yield* script(`
        INSERT INTO counter (source, width, bucket, kind, n, cents)
        SELECT source_id, ${width}, at - ((at % ${width}) + ${width}) % ${width} AS start, ${sum}
        FROM conversion GROUP BY source_id, start`);
    }
  }
  yield* script('DELETE FROM counter WHERE n = 0 AND cents = 0 AND source > 0');
}
