/** Stores sales and updates their counters. */

import { sourceNamed } from '../attribution/source-name.ts';
import { all, get, run, type Statements } from '../database/database.ts';
import { sameLetters, sql } from '../database/sql.ts';
import { type Counted, count, type KindSum, moneyKinds } from './counters-sql.ts';
import { idIn, sourceIds, trusted } from './sources-sql.ts';
import type { Conversion, SettledSale } from './store.ts';

const columns = [
  'id',
  'at',
  'amount',
  'refunded',
  'disputed',
  'currency',
  'email',
  'source',
  'first_source',
  'control',
  'via',
  'source_id',
];

/** Columns of a `SettledSale`; `saleColumns` are those of a `Conversion`. */
const settledColumns =
  'at, amount, refunded, disputed, currency, email, source, first_source AS "firstSource", control';
export const saleColumns = `id, ${settledColumns}`;

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
  if (settled) yield* recount(stored, yield* write({ id: payment, ...settled }, 'payment'));
  else if (stored?.via === 'payment') {
    yield* run('DELETE FROM conversion WHERE id = ?', [payment]);
    yield* recount(stored, undefined);
  }
}

/** The stored sale of a payment. */
export const settledSale = (payment: string) =>
  get<SettledSale>(`SELECT ${settledColumns} FROM conversion WHERE id = ? AND via = 'payment'`, [
    payment,
  ]);

/** Ids of payments with a stored sale, sorted, at most `limit` after `after`. */
export function* settledPayments(after: string, limit: number): Statements<string[]> {
  const rows = yield* all<{ id: string }>(
    `SELECT id FROM conversion WHERE via = 'payment' AND id > ? ORDER BY id LIMIT ?`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

const byBuyer = sql`SELECT ${saleColumns} FROM conversion
  WHERE ${sameLetters('email')} ORDER BY at, id`;

/** The sales to this email address, oldest first. */
export const salesTo = (email: string): Statements<Conversion[]> =>
  all<Conversion>(byBuyer, [email]);

const withoutBuyer = sql`UPDATE conversion SET email = NULL
  WHERE via = 'report' AND ${sameLetters('email')}`;

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

type Row = Conversion & { via: 'report' | 'payment'; sourceId: number };

const saleById = (id: string): Statements<Row | undefined> =>
  get<Row>(`SELECT ${saleColumns}, via, source_id AS "sourceId" FROM conversion WHERE id = ?`, [
    id,
  ]);

/** Changes the source of a sale and moves its counts. */
export function* moveSale(id: string, source: string): Statements<void> {
  const before = yield* saleById(id);
  if (before) yield* recount(before, yield* write({ ...before, source }, before.via));
}

/** Inserts or updates a sale and assigns the id of its source. */
function* write(sale: Conversion, via: Row['via']): Statements<Row> {
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
    firstSource,
    control,
    via,
    sourceId,
  ]);
  return { ...sale, via, sourceId };
}

const upsertSale = `INSERT INTO conversion (${columns.join(', ')})
  VALUES (${columns.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Subtracts a sale's previous counts from the counters and adds its current ones. */
function* recount(before: Row | undefined, after: Row | undefined): Statements<void> {
  const subtracted = sumsOf(before).map((sum) => ({ ...sum, n: -sum.n, cents: -sum.cents }));
  yield* count([...subtracted, ...sumsOf(after)].filter(({ n, cents }) => n !== 0 || cents !== 0));
}

/** The counts of a sale, at the time of the sale. Must match `moneySums`. */
function sumsOf(sale: Row | undefined): Counted[] {
  if (!sale) return [];
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

const dollars = (cents: string) =>
  `coalesce(sum(CASE currency WHEN 'USD' THEN ${cents} ELSE 0 END), 0)`;

/** The sums of `sumsOf` in SQL: expressions and the rows they apply to. */
export const moneySums = [
  {
    kind: moneyKinds.sale,
    n: 'count(*) FILTER (WHERE amount > refunded OR amount = 0)',
    cents: dollars('amount - refunded'),
    where: 'true',
  },
  { kind: moneyKinds.refund, n: 'count(*)', cents: dollars('refunded'), where: 'refunded > 0' },
  { kind: moneyKinds.dispute, n: 'count(*)', cents: dollars('disputed'), where: 'disputed > 0' },
];
