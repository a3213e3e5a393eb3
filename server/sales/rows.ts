/** Stores sales. */

import { idIn, sourceIds, trusted } from '../analytics/sql/sources.ts';
import { sourcePath } from '../attribution/source-name.ts';
import { columns } from '../database/columns.ts';
import { all, get, run, type Statements } from '../database/database.ts';
import { schema } from '../database/schema.ts';
import { equalsIgnoringCase, mayHoldAddress, sql } from '../database/sql.ts';
import { addressSearch } from '../text/email-address.ts';
import { entriesOf, setEntries } from './cash.ts';
import { raiseDoubts, renameDoubts } from './doubts.ts';
import type { Sale, SettledSale } from './sale.ts';

/** Columns of a `SettledSale`; `saleColumns` are those of a `Sale`. */
const settled = [
  ...(['at', 'amount', 'refunded', 'disputed', 'currency', 'email', 'source', 'button'] as const),
  { firstSource: 'first_source' },
] as const;
export const saleColumns = columns('conversion', 'id', ...settled);

const selectIds = sql`SELECT ${columns('conversion', 'id')} FROM conversion
  WHERE id > ? AND origin <> ? ORDER BY id LIMIT ?`;
const selectSale = sql`SELECT ${columns('conversion', 'id', 'origin', ...settled)} FROM conversion
  WHERE id = ?`;

/** Sets the sale with this id, as computed from what is known of it; undefined deletes it. */
export function* settleSale(id: string, sale: SettledSale | undefined): Statements<void> {
  const stored = yield* saleById(id);
  if (sale) {
    const { entries: _, ...row } = sale;
    const written = { id, ...row };
    yield* write(written);
    yield* setEntries(id, sale);
    if (!stored || identity.some((name) => stored[name] !== written[name])) {
      yield* raiseDoubts(written);
    }
  } else if (stored && stored.origin !== 'report') {
    // An earlier version stored reported sales without their reports.
    yield* run('DELETE FROM conversion WHERE id = ?', [id]);
    yield* setEntries(id, { entries: [], currency: stored.currency });
  }
}

/** Gives a sale another id. No figure changes. */
export function* renameSale(id: string, to: string): Statements<void> {
  yield* run('UPDATE conversion SET id = ? WHERE id = ?', [to, id]);
  yield* run('UPDATE sale_entry SET sale = ? WHERE sale = ?', [to, id]);
  yield* renameDoubts(id, to);
}

/** What two sales that may be one have in common, and whether they count. */
const identity = ['at', 'amount', 'currency', 'email', 'origin'] as const;

/** The stored sale with this id. */
export function* settledSale(id: string): Statements<SettledSale | undefined> {
  const stored = yield* saleById(id);
  if (!stored) return undefined;
  const { id: _, ...sale } = stored;
  return { ...sale, entries: yield* entriesOf(id) };
}

/** Ids of stored sales, sorted, at most `limit` after `after`; reported ones if asked for. */
export function* saleIds(
  after: string,
  { limit, withReported }: { limit: number; withReported: boolean },
): Statements<string[]> {
  const rows = yield* all(selectIds, [after, withReported ? '' : 'report', limit]);
  return rows.map(({ id }) => id);
}

const withAddress = sql`SELECT ${saleColumns} FROM conversion
  WHERE ${equalsIgnoringCase('email')} OR ${mayHoldAddress} ORDER BY at, id`;

/** The sales to this email address, or with it in their id, oldest first. */
export function* salesTo(address: string): Statements<Sale[]> {
  const holds = addressSearch(address);
  const rows = yield* all(withAddress, [address]);
  return rows.filter(({ id, email }) => holds(id) || holds(email ?? ''));
}

interface SaleRow extends Sale, Pick<SettledSale, 'origin'> {}

const saleById = (id: string): Statements<SaleRow | undefined> => get(selectSale, [id]);

/** Inserts or updates a sale and assigns the id of its source. */
function* write(sale: SaleRow): Statements<void> {
  const { id, at, amount, refunded, disputed, currency, email, source, firstSource } = sale;
  const path = sourcePath(source);
  const sourceId = idIn(yield* sourceIds([path], { day: trusted }), path);
  yield* run(upsertSale, [
    ...[id, at, amount, refunded, disputed, currency, email],
    ...[source, sourceId, firstSource, sale.button, sale.origin],
  ]);
}

const names = Object.keys(schema.conversion);
const upsertSale = `INSERT INTO conversion (${names.join(', ')})
  VALUES (${names.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** The condition of sales that count, not of something else that the same Stripe account sells. */
export const isCountedSale = `origin <> 'other'`;

/** The condition of a counted sale that is a conversion: it was not fully refunded. */
export const isConversion = '(amount > refunded OR amount = 0)';
