/** The rows of sales, and what each adds to the counters. */
import type { Tx } from '../database/sqlite.ts';
import { count, type KindSum, moneyKinds } from './counters-sqlite.ts';
import type { Conversion, SettledSale } from './store.ts';

/** Columns of a row that make a `Conversion`. */
export const saleColumns = 'id, at, amount, refunded, disputed, currency, email, source';

/** Keeps a reported sale, or what was given back since. One that the payment provider told of is its. */
export function addSale(tx: Tx, sale: Conversion): 'new' | 'refund' | 'known' {
  const known = saleById(tx, sale.id);
  if (!known) {
    write(tx, sale, 'report');
    recount(tx, undefined, sale);
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
  write(tx, next, 'report');
  recount(tx, known, next);
  return 'refund';
}

/** Makes the sale of a payment what its provider says it is; undefined: there is none. */
export function settleSale(tx: Tx, payment: string, settled: SettledSale | undefined): void {
  const known = saleById(tx, payment);
  const sale = settled && { id: payment, ...settled };
  if (sale) write(tx, sale, 'payment');
  else if (known?.via === 'payment') tx.run('DELETE FROM conversion WHERE id = ?', [payment]);
  else return;
  recount(tx, known, sale);
}

/** The sale that is counted for a payment. */
export const settledSale = (tx: Pick<Tx, 'get'>, payment: string) =>
  tx.get<SettledSale>(
    `SELECT at, amount, refunded, disputed, currency, email, source FROM conversion
     WHERE id = ? AND via = 'payment'`,
    [payment],
  );

/** Payments that a sale is counted for, in order, the first `limit` after `after`. */
export const settledPayments = (tx: Pick<Tx, 'all'>, after: string, limit: number) =>
  tx
    .all<{ id: string }>(
      `SELECT id FROM conversion WHERE via = 'payment' AND id > ? ORDER BY id LIMIT ?`,
      [after, limit],
    )
    .map(({ id }) => id);

type Row = Conversion & { via: 'report' | 'payment' };

const saleById = (tx: Tx, id: string) =>
  tx.get<Row>(`SELECT ${saleColumns}, via FROM conversion WHERE id = ?`, [id]);

function write(tx: Tx, sale: Conversion, via: Row['via']): void {
  const { id, at, amount, refunded, disputed, currency, email, source } = sale;
  tx.run(
    `INSERT OR REPLACE INTO conversion (${saleColumns}, via) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, at, amount, refunded, disputed, currency, email, source, via],
  );
}

/** Takes off the counters what a sale added to them, and adds what it adds now. */
function recount(tx: Tx, before: Conversion | undefined, after: Conversion | undefined): void {
  for (const { kind, n, cents } of sumsOf(before)) {
    if (before && (n || cents)) count(tx, { kind, at: before.at, n: -n, cents: -cents });
  }
  for (const { kind, n, cents } of sumsOf(after)) {
    if (after && (n || cents)) count(tx, { kind, at: after.at, n, cents });
  }
}

/** What a sale adds, at the time of the sale. `moneySums` says the same to the database. */
function sumsOf(sale: Conversion | undefined): KindSum[] {
  if (!sale) return [];
  const { amount, refunded, disputed, currency } = sale;
  const dollars = (cents: number) => (currency === 'USD' ? cents : 0);
  const isSale = amount > refunded || amount === 0;
  return [
    { kind: moneyKinds.sale, n: Number(isSale), cents: dollars(amount - refunded) },
    { kind: moneyKinds.refund, n: Number(refunded > 0), cents: dollars(refunded) },
    { kind: moneyKinds.dispute, n: Number(disputed > 0), cents: dollars(disputed) },
  ];
}

const dollars = (cents: string) =>
  `coalesce(sum(CASE currency WHEN 'USD' THEN ${cents} ELSE 0 END), 0)`;

/** The same sums over many rows: what to select, and of which rows. */
export const moneySums = [
  {
    kind: moneyKinds.sale,
    n: 'coalesce(sum(amount > refunded OR amount = 0), 0)',
    cents: dollars('amount - refunded'),
    where: 'true',
  },
  { kind: moneyKinds.refund, n: 'count(*)', cents: dollars('refunded'), where: 'refunded > 0' },
  { kind: moneyKinds.dispute, n: 'count(*)', cents: dollars('disputed'), where: 'disputed > 0' },
];
