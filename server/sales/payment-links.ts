/** The Payment Links of Stripe that sell the product, by their ids. Without any, every checkout sells it. */
import { columns } from '../database/columns.ts';
import { all, run, type Statements } from '../database/database.ts';
import { insertInto, jsonOf, sql } from '../database/sql.ts';

const selectLinks = sql`SELECT ${columns('payment_link', 'id')} FROM payment_link ORDER BY id`;
const insertLinks = insertInto('payment_link');

export function* countedPaymentLinks(): Statements<string[]> {
  return (yield* all(selectLinks)).map(({ id }) => id);
}

/** Stores other ones. The sales that depend on them must be rebuilt. */
export function* storePaymentLinks(ids: readonly string[]): Statements<void> {
  yield* run('DELETE FROM payment_link');
  const rows = [...new Set(ids)].map((id) => ({ id }));
  yield* run(insertLinks, [jsonOf('payment_link', rows)]);
}
