import { sql } from '../sql.ts';
import { type Migration, strictByKey, text } from './migration.ts';

/** What the owner's site says, as far as other rows depend on it. */
export const site: Migration = {
  version: 24,
  alsoFor: 23,
  sql: sql`
    -- The Payment Links of Stripe that sell the product, by their ids; without rows, every checkout does.
    CREATE TABLE payment_link (id ${text} PRIMARY KEY) ${strictByKey};
  `,
};
