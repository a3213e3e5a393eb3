import { sql } from '../sql.ts';
import { integer, type Migration, strict, strictByKey, text } from './migration.ts';

/** The site's document, and what other rows depend on of it. */
export const site: Migration = {
  version: 24,
  alsoFor: 23,
  sql: sql`
    -- The Payment Links of Stripe that sell the product, by their ids; without rows, every checkout does.
    CREATE TABLE payment_link (id ${text} PRIMARY KEY) ${strictByKey};

    -- The history of the site's document. Rows are never changed or deleted.
    CREATE TABLE site_version (
      id ${integer} PRIMARY KEY,
      made_at ${integer} NOT NULL,
      -- How the document is written.
      format ${integer} NOT NULL,
      -- JSON. It is complete, so that a change of site.config.ts changes no published site.
      document ${text} NOT NULL,
      -- 'published', 'discarded' (a draft), or 'file' (what site.config.ts said).
      state ${text} NOT NULL,
      note ${text},
      -- JSON: the paths of the fields that differ from what was live.
      paths ${text} NOT NULL
    ) ${strict};

    -- One row once the document was edited.
    CREATE TABLE site_draft (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      -- Increases with each change, also when the draft ends.
      revision ${integer} NOT NULL,
      -- JSON, and the version that it was a copy of; null: there is no draft.
      document ${text},
      based_on ${integer},
      changed_at ${integer} NOT NULL
    ) ${strict};

    -- One row once the document was published.
    CREATE TABLE site_live (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      -- Null: the site shows site.config.ts.
      version ${integer},
      -- Increases with each change, so that every instance sees it.
      counter ${integer} NOT NULL,
      changed_at ${integer} NOT NULL
    ) ${strict};
  `,
};
