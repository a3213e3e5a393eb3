/** The rows of sales, and what each adds to the counters. */

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

/** Columns of a row that make a `Conversion`. */
const settledColumns =
  'at, amount, refunded, disputed, currency, email, source, first_source AS "firstSource", control';
export const saleColumns = `id, ${settledColumns}`;

/** Keeps a reported sale, or what was given back since. One that the payment provider told of is its. */
export function* addSale(sale: Conversion): Statements<'new' | 'refund' | 'known'> {
  const known = yield* saleById(sale.id);
  if (!known) {
    yield* recount(undefined, yield* write(sale, 'report'));
    return 'new';
  }
  if (known.via !== 'report' || sale.refunded <= known.refunded) return 'known';
  const refunded = Math.min(sale.refunded, known.amount);
  if (refunded === known.refunded) return 'known';
  const next = {
    ...known,
    refunded,
    disputed: Math.min(known.disputed, known.amount - refunded),
  };
  yield* recount(known, yield* write(next, 'report'));
  return 'refund';
}

/** Makes the sale of a payment what its provider says it is; undefined: there is none. */
export function* settleSale(payment: string, settled: SettledSale | undefined): Statements<void> {
  const known = yield* saleById(payment);
  if (settled) yield* recount(known, yield* write({ id: payment, ...settled }, 'payment'));
  else if (known?.via === 'payment') {
    yield* run('DELETE FROM conversion WHERE id = ?', [payment]);
    yield* recount(known, undefined);
  }
}

/** The sale that is counted for a payment. */
export const settledSale = (payment: string) =>
  get<SettledSale>(`SELECT ${settledColumns} FROM conversion WHERE id = ? AND via = 'payment'`, [
    payment,
  ]);

/** Payments that a sale is counted for, in order, the first `limit` after `after`. */
export function* settledPayments(after: string, limit: number): Statements<string[]> {
  const rows = yield* all<{ id: string }>(
    `SELECT id FROM conversion WHERE via = 'payment' AND id > ? ORDER BY id LIMIT ?`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

const byBuyer = sql`SELECT ${saleColumns} FROM conversion
  WHERE ${sameLetters('email')} ORDER BY at, id`;

export const salesTo = (email: string): Statements<Conversion[]> =>
  all<Conversion>(byBuyer, [email]);

const withoutBuyer = sql`UPDATE conversion SET email = NULL
  WHERE via = 'report' AND ${sameLetters('email')}`;

/** Takes the buyer off reported sales; returns how many there were. */
export const eraseBuyer = (email: string): Statements<number> => run(withoutBuyer, [email]);

/** Most rows one transaction changes: the visitors' writes get in between. */
const batch = 1000;

/** Takes the buyers off some of the reported sales before `before` (ms, UTC); returns how many. */
export const eraseBuyersBefore = (before: number): Statements<number> =>
  run(
    `UPDATE conversion SET email = NULL WHERE id IN (
       SELECT id FROM conversion
       WHERE via = 'report' AND email IS NOT NULL AND at < ? LIMIT ${batch})`,
    [before],
  );

type Row = Conversion & { via: 'report' | 'payment'; sourceId: number };

const saleById = (id: string): Statements<Row | undefined> =>
  get<Row>(`SELECT ${saleColumns}, via, source_id AS "sourceId" FROM conversion WHERE id = ?`, [
    id,
  ]);

/** Gives a sale another source; what it counts moves there. */
export function* moveSale(id: string, source: string): Statements<void> {
  const before = yield* saleById(id);
  if (before) yield* recount(before, yield* write({ ...before, source }, before.via));
}

/** Writes a sale as it is now; its source gets a number. */
function* write(sale: Conversion, via: Row['via']): Statements<Row> {
  const { id, at, amount, refunded, disputed, currency, email, source, firstSource, control } =
    sale;
  const name = sourceNamed(source);
  const sourceId = idIn(yield* sourceIds([name], { day: trusted }), name);
  yield* run(writing, [
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

const writing = `INSERT INTO conversion (${columns.join(', ')})
  VALUES (${columns.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Takes off the counters what a sale added to them, and adds what it adds now. */
function* recount(before: Row | undefined, after: Row | undefined): Statements<void> {
  const gone = sumsOf(before).map((sum) => ({ ...sum, n: -sum.n, cents: -sum.cents }));
  yield* count([...gone, ...sumsOf(after)].filter(({ n, cents }) => n !== 0 || cents !== 0));
}

/** What a sale adds, at the time of the sale. `moneySums` says the same to the database. */
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

/** The same sums over many rows: what to select, and of which rows. */
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
