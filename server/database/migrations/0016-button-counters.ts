import type { Migration } from './migration.ts';

export const buttonCounters: Migration = {
  version: 16,
  // Programs of schema 7 work with this one: the nightly check adds the counts that they omit.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- Counters of the rows that have a button (column control), as in table counter: by source, and for
      -- all sources together (source 0). Page views have no button. Rows stored before are counted after
      -- the start.
      CREATE TABLE button_counter (
        source INTEGER NOT NULL,
        control TEXT NOT NULL,
        width INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        n INTEGER NOT NULL,
        cents INTEGER NOT NULL,
        PRIMARY KEY (source, control, width, bucket, kind)
      ) STRICT, WITHOUT ROWID;

      -- The newest sales of a source or a button.
      CREATE INDEX conversion_by_source ON conversion (source_id, at, id);
      CREATE INDEX conversion_by_button ON conversion (control, at, id) WHERE control IS NOT NULL;
    `,
    postgres: `
      CREATE TABLE button_counter (
        source bigint NOT NULL,
        control text COLLATE "C" NOT NULL,
        width bigint NOT NULL,
        bucket bigint NOT NULL,
        kind bigint NOT NULL,
        slot bigint NOT NULL,
        n bigint NOT NULL,
        cents bigint NOT NULL,
        PRIMARY KEY (source, control, width, bucket, kind, slot)
      );

      CREATE INDEX conversion_by_source ON conversion (source_id, at, id);
      CREATE INDEX conversion_by_button ON conversion (control, at, id) WHERE control IS NOT NULL;
    `,
  },
};
