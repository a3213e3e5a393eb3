import type { Migration } from './migration.ts';

export const demoData: Migration = {
  version: 22,
  // Programs of schema 7 work with this one: they ignore the table.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- One row when the database was filled with made-up data.
      CREATE TABLE demo_data (id INTEGER PRIMARY KEY CHECK (id = 1)) STRICT;
    `,
    postgres: `CREATE TABLE demo_data (id bigint PRIMARY KEY CHECK (id = 1));`,
  },
};
