/** The owner's currency: the one whose sales are summed. */
import { columns } from '../database/columns.ts';
import { get, run, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';

const selectCounted = sql`SELECT ${columns('counted_currency', 'currency')} FROM counted_currency`;

/** Without a stored currency, US cents are counted. */
const defaultCurrency = 'USD';

/** The counted currency, ISO 4217 in upper case. */
export function* countedCurrency(): Statements<string> {
  return (yield* get(selectCounted))?.currency ?? defaultCurrency;
}

/** The counted currency in SQL, so that every transaction of every instance counts in the same one. */
export const countedCurrencySql = `coalesce((SELECT currency FROM counted_currency), '${defaultCurrency}')`;

/** The sum of an amount of sales, of those in the counted currency. */
export const inCountedCurrency = (amount: string) =>
  `coalesce(sum(CASE WHEN conversion.currency = ${countedCurrencySql} THEN ${amount} ELSE 0 END), 0)`;

/** Stores the counted currency. */
export const storeCountedCurrency = (currency: string): Statements<number> =>
  run(
    `INSERT INTO counted_currency (id, currency) VALUES (1, ?)
     ON CONFLICT (id) DO UPDATE SET currency = excluded.currency`,
    [currency],
  );
