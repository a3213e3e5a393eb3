/** Stores sales and updates their counters. */
import { sourceNamed } from '../../attribution/source-name.ts';
import { columns, computed, count as rowCount } from '../../database/columns.ts';
import { all, get, run, type Statements } from '../../database/database.ts';
import { type Row, schema } from '../../database/schema.ts';
import { equalsIgnoringCase, sql } from '../../database/sql.ts';
import type { Conversion, SettledSale } from '../store.ts';
import { type Counted, count, type KindSum, moneyKinds } from './counters.ts';
import { idIn, sourceIds, trusted } from './sources.ts';

/** Columns of a `SettledSale`; `saleColumns` are those of a `Conversion`. */
const settled = [
  ...(['at', 'amount', 'refunded', 'disputed', 'currency', 'email', 'source', 'control'] as const),
  { firstSource: 'first_source' },
] as const;
export const saleColumns = columns('conversion', 'id', ...settled);

const selectSettled = sql`SELECT ${columns('conversion', 'via', ...settled)} FROM conversion
  WHERE id = ? AND via <> 'report'`;
const selectPayments = sql`SELECT ${columns('conversion', 'id')} FROM conversion
  WHERE via <> 'report' AND id > ? ORDER BY id LIMIT ?`;
const selectSale = sql`SELECT ${columns('conversion', 'id', 'via', { sourceId: 'source_id' }, ...settled)}
  FROM conversion WHERE id = ?`;

/** Stores a reported sale or a higher refund of it. Sales that came from Stripe are not changed. */
export function* addSale(sale: Conversion): Statements<'new' | 'refund' | 'known'> {
  const stored = yield* saleById(sale.id);
  if (!stored) {
    yield* recount(undefined, yield* write(sale, 'report'));
    return 'new';
  }
  if (stored.via !== 'report' || sale.refunded <= stored.refunded) return 'known';
  const refunded = Math.min(sale.refunded, stored.amount);
  if (refunded === stored.refunded) return 'known';
  const next = {
    ...stored,
    refunded,
    disputed: Math.min(stored.disputed, stored.amount - refunded),
  };
  yield* recount(stored, yield* write(next, 'report'));
  return 'refund';
}

/** Sets the sale of a payment as computed from Stripe's events; undefined deletes it. */
export function* settleSale(payment: string, settled: SettledSale | undefined): Statements<void> {
  const stored = yield* saleById(payment);
  if (settled) {
    const { isOther, ...sale } = settled;
    yield* recount(stored, yield* write({ id: payment, ...sale }, isOther ? 'other' : 'payment'));
  } else if (stored && stored.via !== 'report') {
    yield* run('DELETE FROM conversion WHERE id = ?', [payment]);
    yield* recount(stored, undefined);
  }
}

/** The stored sale of a payment. */
export function* settledSale(payment: string): Statements<SettledSale | undefined> {
  const row = yield* get(selectSettled, [payment]);
  if (!row) return undefined;
  const { via, ...sale } = row;
  return { ...sale, isOther: via === 'other' };
}

/** Ids of payments with a stored sale, sorted, at most `limit` after `after`. */
export function* settledPayments(after: string, limit: number): Statements<string[]> {
  const rows = yield* all(selectPayments, [after, limit]);
  return rows.map(({ id }) => id);
}

const byBuyer = sql`SELECT ${saleColumns} FROM conversion
  WHERE ${equalsIgnoringCase('email')} ORDER BY at, id`;

/** The sales to this email address, oldest first. */
export const salesTo = (email: string): Statements<Conversion[]> => all(byBuyer, [email]);

const withoutBuyer = sql`UPDATE conversion SET email = NULL
  WHERE via = 'report' AND ${equalsIgnoringCase('email')}`;

/** Deletes this email address from reported sales; returns their number. */
export const eraseBuyer = (email: string): Statements<number> => run(withoutBuyer, [email]);

/** Maximum rows per transaction, so that visitors' writes can run in between. */
const batchSize = 1000;

/** Deletes the email address from one batch of reported sales before `before` (ms, UTC); returns its size. */
export const eraseBuyersBefore = (before: number): Statements<number> =>
  run(
    `UPDATE conversion SET email = NULL WHERE id IN (
       SELECT id FROM conversion
       WHERE via = 'report' AND email IS NOT NULL AND at < ? LIMIT ${batchSize})`,
    [before],
  );

interface StoredSale extends Conversion {
  via: Row<'conversion'>['via'];
  sourceId: number;
}

const saleById = (id: string): Statements<StoredSale | undefined> => get(selectSale, [id]);

/** Changes the source of a sale and moves its counts. */
export function* moveSale(id: string, source: string): Statements<void> {
  const before = yield* saleById(id);
  if (before) yield* recount(before, yield* write({ ...before, source }, before.via));
}

/** Inserts or updates a sale and assigns the id of its source. */
function* write(sale: Conversion, via: StoredSale['via']): Statements<StoredSale> {
  const { id, at, amount, refunded, disputed, currency, email, source, firstSource, control } =
    sale;
  const name = sourceNamed(source);
  const sourceId = idIn(yield* sourceIds([name], { day: trusted }), name);
  yield* run(upsertSale, [
    id,
    at,
    amount,
    refunded,
    disputed,
    currency,
    email,
    source,
    sourceId,
    firstSource,
    control,
    via,
  ]);
  return { ...sale, via, sourceId };
}

const names = Object.keys(schema.conversion);
const upsertSale = `INSERT INTO conversion (${names.join(', ')})
  VALUES (${names.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Subtracts a sale's previous counts from the counters and adds its current ones. */
function* recount(before: StoredSale | undefined, after: StoredSale | undefined): Statements<void> {
  const subtracted = sumsOf(before).map((sum) => ({ ...sum, n: -sum.n, cents: -sum.cents }));
  yield* count([...subtracted, ...sumsOf(after)].filter(({ n, cents }) => n !== 0 || cents !== 0));
}

/** The counts of a sale, at the time of the sale. Must match `moneySums`. */
function sumsOf(sale: StoredSale | undefined): Counted[] {
  if (!sale || sale.via === 'other') return [];
  const { at, amount, refunded, disputed, currency, sourceId: source } = sale;
  const dollars = (cents: number) => (currency === 'USD' ? cents : 0);
  const isSale = amount > refunded || amount === 0;
  const sums: KindSum[] = [
    { kind: moneyKinds.sale, n: Number(isSale), cents: dollars(amount - refunded) },
    { kind: moneyKinds.refund, n: Number(refunded > 0), cents: dollars(refunded) },
    { kind: moneyKinds.dispute, n: Number(disputed > 0), cents: dollars(disputed) },
  ];
  return sums.map((sum) => ({ ...sum, at, source }));
}

/** The condition of sales of the product, not of something else that the same Stripe account sells. */
export const ofProduct = `via <> 'other'`;

const dollars = (cents: string) =>
  computed<number>(`coalesce(sum(CASE currency WHEN 'USD' THEN ${cents} ELSE 0 END), 0)`);

/** The sums of `sumsOf` in SQL: expressions and the rows they apply to. */
export const moneySums = [
  {
    kind: moneyKinds.sale,
    n: computed<number>('count(*) FILTER (WHERE amount > refunded OR amount = 0)'),
    cents: dollars('amount - refunded'),
    where: ofProduct,
  },
  {
    kind: moneyKinds.refund,
    n: rowCount,
    cents: dollars('refunded'),
    where: `${ofProduct} AND refunded > 0`,
  },
  {
    kind: moneyKinds.dispute,
    n: rowCount,
    cents: dollars('disputed'),
    where: `${ofProduct} AND disputed > 0`,
  },
];
