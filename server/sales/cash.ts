/** The money of a period by its own date, instead of by the date of its sale. */

import { columns, handTyped } from '../database/columns.ts';
import { all, run, type Statements } from '../database/database.ts';
import type { Row } from '../database/schema.ts';
import { insertInto, jsonOf, sql } from '../database/sql.ts';
import type { CashSum } from './outputs.ts';
import type { SaleEntry, SettledSale } from './sale.ts';

const selectEntries = sql`SELECT ${columns('sale_entry', 'kind', 'at', 'amount')} FROM sale_entry
  WHERE sale = ? ORDER BY n`;

/** The entries of a sale, oldest first. */
export const entriesOf = (sale: string): Statements<SaleEntry[]> => all(selectEntries, [sale]);

/** The rows of a sale's entries. */
export const entryRows = (id: string, { entries, currency }: SettledSale): Row<'sale_entry'>[] =>
  entries.map((entry, n) => ({ ...entry, sale: id, n, currency }));

/** Replaces the entries of a sale; undefined deletes them. */
export function* setEntries(id: string, sale: SettledSale | undefined): Statements<void> {
  yield* run('DELETE FROM sale_entry WHERE sale = ?', [id]);
  if (!sale || sale.entries.length === 0) return;
  yield* run(insertInto('sale_entry'), [jsonOf('sale_entry', entryRows(id, sale))]);
}

/** The sums of a window by kind and currency. */
const sumsByKind = handTyped<{ kind: SaleEntry['kind'] | 'fee'; currency: string; amount: number }>(
  sql`SELECT kind, currency, CAST(sum(amount) AS bigint) AS amount FROM sale_entry
    WHERE at >= ? AND at < ? GROUP BY kind, currency
  UNION ALL
  SELECT 'fee', stripe_fee.currency, CAST(sum(stripe_fee.amount) AS bigint) FROM stripe_fee
    JOIN conversion ON conversion.id = stripe_fee.payment
    WHERE stripe_fee.at >= ? AND stripe_fee.at < ? AND origin <> 'other' GROUP BY stripe_fee.currency`,
);

/** What each kind of entry adds to. */
const cashColumns = { refund: 'refunded', dispute: 'lost', tax: 'tax', fee: 'fees' } as const;

/**
 * The money of a window by its own date, by currency; the first one is the counted currency. `taken` is
 * what the sales of the window brought, by currency.
 */
export function* cashOf(
  { from, to }: { from: number; to: number },
  taken: readonly { currency: string; amount: number }[],
): Statements<CashSum[]> {
  const sums = new Map<string, CashSum>();
  const sumIn = (currency: string) => {
    const known = sums.get(currency);
    if (known) return known;
    const sum = { currency, taken: 0, refunded: 0, lost: 0, tax: 0, fees: null };
    sums.set(currency, sum);
    return sum;
  };
  for (const { currency, amount } of taken) sumIn(currency).taken += amount;
  for (const { kind, currency, amount } of yield* all(sumsByKind, [from, to, from, to])) {
    const sum: CashSum = sumIn(currency);
    sum[cashColumns[kind]] = (sum[cashColumns[kind]] ?? 0) + amount;
  }
  return [...sums.values()].filter(({ currency: _, ...amounts }) =>
    Object.values(amounts).some((amount) => amount !== null && amount !== 0),
  );
}
