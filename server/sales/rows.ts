/** Stores sales. */
import { idIn, sourceIds, trusted } from '../attribution/source-ids.ts';
import { sourcePath } from '../attribution/source-name.ts';
import { columns } from '../database/columns.ts';
import { all, get, run, type Statements } from '../database/database.ts';
import { type Row, schema } from '../database/schema.ts';
import { equalsIgnoringCase, insertInto, jsonOf, mayHoldAddress, sql } from '../database/sql.ts';
import { addressSearch } from '../text/email-address.ts';
import { entriesOf, setEntries } from './cash.ts';
import { raiseDoubts, renameDoubts } from './doubts.ts';
import { type Sale, type SettledSale, saleFields, saleRow } from './sale.ts';

/** The columns of a `Sale`. */
export const saleColumns = columns('conversion', saleFields);

const selectSale = sql`SELECT ${columns('conversion', saleFields, 'origin')} FROM conversion
  WHERE id = ?`;

/** What is stored of a sale besides its entries. */
export type StoredSale = Omit<SettledSale, 'entries'>;

/**
 * Stores the sale with this id, as computed, and the id of its source; undefined deletes it. Returns the one
 * that was stored.
 */
export function* storeSale(
  id: string,
  sale: SettledSale | undefined,
): Statements<StoredSale | undefined> {
  const before = yield* get(selectSale, [id]);
  if (sale) {
    const path = sourcePath(sale.source);
    const sourceId = idIn(yield* sourceIds([path], { day: trusted }), path);
    yield* run(upsertSale, [jsonOf('conversion', [conversionRow(id, sale, sourceId)])]);
  } else {
    yield* run('DELETE FROM conversion WHERE id = ?', [id]);
  }
  yield* setEntries(id, sale);
  if (sale && !identity.every((name) => before?.[name] === sale[name])) {
    yield* raiseDoubts({ id, ...sale });
  }
  return before;
}

/** What two sales that may be one have in common, and whether they count. */
const identity = ['at', 'amount', 'currency', 'email', 'origin'] as const;

/** The row of a sale that counts under this source. */
export const conversionRow = (
  id: string,
  sale: SettledSale,
  sourceId: number,
): Row<'conversion'> => ({ ...saleRow({ ...sale, id }), source_id: sourceId, origin: sale.origin });

const upsertSale = sql`${insertInto('conversion')}
  ON CONFLICT (id) DO UPDATE SET ${Object.keys(schema.conversion)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;

/** Gives a sale another id. No figure changes. */
export function* renameSale(id: string, to: string): Statements<void> {
  yield* run('UPDATE conversion SET id = ? WHERE id = ?', [to, id]);
  yield* run('UPDATE sale_entry SET sale = ? WHERE sale = ?', [to, id]);
  yield* renameDoubts(id, to);
}

/** The stored sale with this id. */
export function* settledSale(id: string): Statements<SettledSale | undefined> {
  const stored = yield* get(selectSale, [id]);
  if (!stored) return undefined;
  const { id: _, ...sale } = stored;
  return { ...sale, entries: yield* entriesOf(id) };
}

const withAddress = sql`SELECT ${saleColumns} FROM conversion
  WHERE ${equalsIgnoringCase('email')} OR ${mayHoldAddress} ORDER BY at, id`;

/** The sales to this email address, or with it in their id, oldest first. */
export function* salesTo(address: string): Statements<Sale[]> {
  const holds = addressSearch(address);
  const rows = yield* all(withAddress, [address]);
  return rows.filter(({ id, email }) => holds(id) || holds(email ?? ''));
}

/** The condition of sales that count, not of something else that the same Stripe account sells. */
export const isCountedSale = `origin <> 'other'`;

/** The condition of a counted sale that is a conversion: it was not fully refunded. */
export const isConversion = '(amount > refunded OR amount = 0)';
