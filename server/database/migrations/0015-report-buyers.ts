import type { Migration } from './migration.ts';

export const reportBuyers: Migration = {
  version: 15,
  // Programs of schema 7 work with this one: it only adds indexes.
  alsoFor: 7,
  sql: {
    sqlite: `
      -- Erasing buyers reads their reports only.
      CREATE INDEX sale_report_by_email ON sale_report (email COLLATE NOCASE)
        WHERE email IS NOT NULL;
      CREATE INDEX sale_report_with_email ON sale_report (at) WHERE email IS NOT NULL;
    `,
    postgres: `
      CREATE INDEX sale_report_by_email ON sale_report (lower(email COLLATE "C"))
        WHERE email IS NOT NULL;
      CREATE INDEX sale_report_with_email ON sale_report (at) WHERE email IS NOT NULL;
    `,
  },
};
