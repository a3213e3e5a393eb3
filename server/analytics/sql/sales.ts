/** Stores sales and updates their counters. */
import { sourcePath } from '../../attribution/source-name.ts';
import { columns, computed, count as rowCount } from '../../database/columns.ts';
import { all, get, run, type Statements } from '../../database/database.ts';
import { schema } from '../../database/schema.ts';
import { equalsIgnoringCase, mayHoldAddress, sql } from '../../database/sql.ts';
import { addressSearch } from '../../text/email-address.ts';
import type { Conversion, SettledSale } from '../model.ts';
import { entriesOf, setEntries } from './cash.ts';
import { type Counted, count, type KindSum, moneyKinds } from './counters.ts';
import { countedCurrency, inCountedCurrency, storeCountedCurrency } from './currency.ts';
import { raiseDoubts, renameDoubts } from './doubts.ts';
import { idsIn, parentOf, sourceIds, trusted } from './sources.ts';

/** Columns of a `SettledSale`; `saleColumns` are those of a `Conversion`. */
const settled = [
  ...(['at', 'amount', 'refunded', 'disputed', 'currency', 'email', 'source', 'button'] as const),
  { firstSource: 'first_source' },
] as const;
export const saleColumns = columns('conversion', 'id', ...settled);

const selectIds = sql`SELECT ${columns('conversion', 'id')} FROM conversion
  WHERE id > ? AND origin <> ? ORDER BY id LIMIT ?`;
const storedColumns = columns(
  'conversion',
  ...(['id', 'origin'] as const),
  { sourceId: 'source_id', parentId: parentOf('conversion.source_id') },
  ...settled,
);
const selectSale = sql`SELECT ${storedColumns} FROM conversion WHERE id = ?`;

/** Sets the sale with this id, as computed from what is known of it; undefined deletes it. */
export function* settleSale(id: string, sale: SettledSale | undefined): Statements<void> {
  const stored = yield* saleById(id);
  if (sale) {
    const { entries: _, ...row } = sale;
    const written = yield* write({ id, ...row });
    yield* recount(stored, written);
    yield* setEntries(id, sale);
    if (!stored || identity.some((name) => stored[name] !== written[name])) {
      yield* raiseDoubts(written);
    }
  } else if (stored && stored.origin !== 'report') {
    // An earlier version stored reported sales without their reports.
    yield* run('DELETE FROM conversion WHERE id = ?', [id]);
    yield* recount(stored, undefined);
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
  const { id: _, sourceId, parentId, ...sale } = stored;
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
export function* salesTo(address: string): Statements<Conversion[]> {
  const holds = addressSearch(address);
  const rows = yield* all(withAddress, [address]);
  return rows.filter(({ id, email }) => holds(id) || holds(email ?? ''));
}

interface SaleRow extends Conversion, Pick<SettledSale, 'origin'> {}

interface StoredSale extends SaleRow {
  /** Id of its campaign, or of its source. */
  sourceId: number;
  /** Id of the source of its campaign; null without one. */
  parentId: number | null;
}

const saleById = (id: string): Statements<StoredSale | undefined> => get(selectSale, [id]);

/** Changes the source of a sale and moves its counts. */
export function* moveSale(id: string, source: string): Statements<void> {
  const before = yield* saleById(id);
  if (before) yield* recount(before, yield* write({ ...before, source }));
}

/** Inserts or updates a sale and assigns the id of its source. */
function* write(sale: SaleRow): Statements<StoredSale> {
  const { id, at, amount, refunded, disputed, currency, email, source, firstSource } = sale;
  const path = sourcePath(source);
  const ids = idsIn(yield* sourceIds([path], { day: trusted }), path);
  yield* run(upsertSale, [
    ...[id, at, amount, refunded, disputed, currency, email],
    ...[source, ids.source, firstSource, sale.button, sale.origin],
  ]);
  return { ...sale, sourceId: ids.source, parentId: ids.parent };
}

const names = Object.keys(schema.conversion);
const upsertSale = `INSERT INTO conversion (${names.join(', ')})
  VALUES (${names.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Subtracts a sale's previous counts from the counters and adds its current ones. */
function* recount(before: StoredSale | undefined, after: StoredSale | undefined): Statements<void> {
  const counted = yield* countedCurrency();
  const subtracted = sumsOf(before, counted).map((sum) => ({
    ...sum,
    n: -sum.n,
    cents: -sum.cents,
  }));
  const added = sumsOf(after, counted);
  yield* count([...subtracted, ...added].filter(({ n, cents }) => n !== 0 || cents !== 0));
}

/** Maximum sales that are recounted by one statement. */
const pageLength = 1000;

const salesIn = sql`SELECT ${storedColumns} FROM conversion
  WHERE currency IN (?, ?) AND id > ? ORDER BY id LIMIT ${pageLength}`;

/** Counts money in another currency, and recounts the sales in the old and in the new one. */
export function* setCountedCurrency(currency: string): Statements<void> {
  const counted = yield* countedCurrency();
  for (let after = ''; ; ) {
    const page = yield* all(salesIn, [counted, currency, after]);
    const end = page.at(-1);
    if (!end) break;
    const subtracted = page.flatMap((sale) => sumsOf(sale, counted));
    const added = page.flatMap((sale) => sumsOf(sale, currency));
    yield* count([
      ...subtracted.map((sum) => ({ ...sum, n: 0, cents: -sum.cents })),
      ...added.map((sum) => ({ ...sum, n: 0 })),
    ]);
    after = end.id;
  }
  yield* storeCountedCurrency(currency);
}

/** The counts of a sale, at the time of the sale. Must match `moneySums`. */
function sumsOf(sale: StoredSale | undefined, counted: string): Counted[] {
  if (!sale || sale.origin === 'other') return [];
  const { at, amount, refunded, disputed, currency, button } = sale;
  const { sourceId: source, parentId: parent } = sale;
  const inCounted = (cents: number) => (currency === counted ? cents : 0);
  const isSale = amount > refunded || amount === 0;
  const sums: KindSum[] = [
    { kind: moneyKinds.sale, n: Number(isSale), cents: inCounted(amount - refunded) },
    { kind: moneyKinds.refund, n: Number(refunded > 0), cents: inCounted(refunded) },
    { kind: moneyKinds.dispute, n: Number(disputed > 0), cents: inCounted(disputed) },
  ];
  return sums.map((sum) => ({ ...sum, at, source, parent, button }));
}

/** The condition of sales that count, not of something else that the same Stripe account sells. */
export const isCountedSale = `origin <> 'other'`;

/** The condition of a counted sale that is a conversion: it was not fully refunded. */
export const isConversion = '(amount > refunded OR amount = 0)';

/** The sums of `sumsOf` in SQL: expressions and the rows they apply to. */
export const moneySums = [
  {
    kind: moneyKinds.sale,
    n: computed<number>(`count(*) FILTER (WHERE ${isConversion})`),
    cents: inCountedCurrency('amount - refunded'),
    where: isCountedSale,
  },
  {
    kind: moneyKinds.refund,
    n: rowCount,
    cents: inCountedCurrency('refunded'),
    where: `${isCountedSale} AND refunded > 0`,
  },
  {
    kind: moneyKinds.dispute,
    n: rowCount,
    cents: inCountedCurrency('disputed'),
    where: `${isCountedSale} AND disputed > 0`,
  },
];
