/** Pairs of sales that may be one: a checkout and a report of it, for example, with different ids. */

import { columns, computed, handTyped } from '../database/columns.ts';
import { all, get, run, type Statements } from '../database/database.ts';
import { equalsIgnoringCase, type Sql, sql } from '../database/sql.ts';
import { minuteMs } from '../time/units.ts';
import { type Sale, type SettledSale, saleFields } from './sale.ts';

/** Two sales with the same buyer, amount and minute: perhaps one, reported twice. Then the first one stays. */
export type Doubt = [Sale, Sale];

/** Most pairs that are listed; after a decision the next ones follow. */
const maxListed = 20;

/** Most sales that one is compared with, the newest ones. A decision on each listed pair leads to the others. */
export const maxTwins = 20;

type Doubted = Pick<Sale, 'id' | 'at' | 'amount' | 'currency' | 'email'> &
  Pick<SettledSale, 'origin'>;

const selectTwins = sql`SELECT ${columns('conversion', 'id')} FROM conversion
  WHERE at >= ? AND at <= ? AND id <> ? AND amount = ? AND currency = ? AND origin <> 'other'
    AND ${equalsIgnoringCase('email')} ORDER BY at DESC, id LIMIT ${maxTwins}`;

const pairColumns = columns('conversion', saleFields, 'origin');
type PairRow = (typeof pairColumns)['selects'];

/** The pairs of a sale with those of the same buyer, amount and minute; each pair sorted. */
export function* pairsOf({
  id,
  at,
  amount,
  currency,
  email,
  origin,
}: Doubted): Statements<[string, string][]> {
  if (email === null || amount === 0 || origin === 'other') return [];
  const values = [at - minuteMs, at + minuteMs, id, amount, currency, email];
  const twins = yield* all(selectTwins, values);
  return twins.map((twin) => (id < twin.id ? [id, twin.id] : [twin.id, id]));
}

/** Stores the pairs of a new or changed sale. */
export function* raiseDoubts(sale: Doubted): Statements<void> {
  for (const pair of yield* pairsOf(sale)) {
    yield* run('INSERT INTO sale_doubt (first, second) VALUES (?, ?) ON CONFLICT DO NOTHING', pair);
  }
}

const pairsWith = sql`DELETE FROM sale_doubt WHERE first = ? OR second = ?
  RETURNING ${columns('sale_doubt', 'first', 'second', 'verdict', 'dropped')}`;

/** Gives a sale another id in its pairs. */
export function* renameDoubts(id: string, to: string): Statements<void> {
  const renamed = (one: string | null) => (one === id ? to : one);
  for (const { first, second, verdict, dropped } of yield* all(pairsWith, [id, id])) {
    const pair = [renamed(first), renamed(second)].sort();
    yield* run('INSERT INTO sale_doubt (first, second, verdict, dropped) VALUES (?, ?, ?, ?)', [
      ...pair,
      verdict,
      renamed(dropped),
    ]);
  }
}

/** A dropped sale and the one of its pair that stays. */
const drops = `SELECT dropped, CASE WHEN dropped = first THEN second ELSE first END AS kept
  FROM sale_doubt WHERE dropped IS NOT NULL`;
const selectKept = handTyped<{ id: string }>(
  sql`WITH RECURSIVE pair AS (${drops}), chain (id) AS (
      SELECT kept FROM pair WHERE dropped = ?
      UNION SELECT kept FROM pair JOIN chain ON dropped = chain.id
    ) SELECT id FROM chain`,
);
const selectDropped = handTyped<{ id: string }>(
  sql`WITH RECURSIVE pair AS (${drops}), chain (id) AS (
      SELECT dropped FROM pair WHERE kept = ?
      UNION SELECT dropped FROM pair JOIN chain ON kept = chain.id
    ) SELECT id FROM chain`,
);

/** The sales in favour of which the owner dropped this one, also by way of others. */
export function* keptFor(id: string): Statements<string[]> {
  return (yield* all(selectKept, [id])).map((row) => row.id);
}

/** The sales that the owner dropped in favour of this one, also by way of others. */
export function* droppedFor(id: string): Statements<string[]> {
  return (yield* all(selectDropped, [id])).map((row) => row.id);
}

const sameEmail: Sql = {
  sqlite: 'a.email = b.email COLLATE NOCASE',
  postgres: 'lower(a.email COLLATE "C") = lower(b.email COLLATE "C")',
};
/** Condition: the sales `a` and `b` look like one. */
const looksLikeOne = sql`a.origin <> 'other' AND b.origin <> 'other' AND ${sameEmail}
    AND a.amount = b.amount AND a.currency = b.currency AND abs(a.at - b.at) <= ${minuteMs}`;
const selectUndecided = sql`SELECT ${columns('sale_doubt', 'first', 'second')} FROM sale_doubt
  JOIN conversion AS a ON a.id = first JOIN conversion AS b ON b.id = second
  WHERE verdict IS NULL AND ${looksLikeOne}
  ORDER BY CASE WHEN a.at > b.at THEN a.at ELSE b.at END DESC, first, second LIMIT ${maxListed}`;
const selectPair = sql`SELECT ${pairColumns} FROM conversion WHERE id IN (?, ?) ORDER BY at, id`;

/** The sales of a pair, the earlier one first. */
const pairOf = (ids: readonly [string, string]) => all(selectPair, ids);

/** The sale that is dropped when both are one: a report before one of Stripe, and the later of two reports. */
const droppedOf = (a: PairRow, b: PairRow) =>
  [a, b].findLast(({ origin }) => origin === 'report') ?? b;

/** Lists pairs that the owner has not decided, when both still count and look the same; the newest first. */
export function* openDoubts(): Statements<Doubt[]> {
  const doubts: Doubt[] = [];
  for (const { first, second } of yield* all(selectUndecided)) {
    const [a, b] = yield* pairOf([first, second]);
    if (!a || !b) continue;
    const dropped = droppedOf(a, b);
    doubts.push([toConversion(dropped === a ? b : a), toConversion(dropped)]);
  }
  return doubts;
}

const selectStored = sql`SELECT ${columns('sale_doubt', 'verdict', {
  isOpen: computed<0 | 1>(sql`CASE WHEN EXISTS (
    SELECT 1 FROM conversion AS a JOIN conversion AS b ON b.id = second
    WHERE a.id = first AND ${looksLikeOne}) THEN 1 ELSE 0 END`),
})} FROM sale_doubt WHERE first = ? AND second = ?`;

const toConversion = ({ origin: _, ...sale }: PairRow): Sale => sale;

/**
 * Stores whether two sales are one; null asks again. Returns false when they are no such pair, or no longer
 * look like one sale.
 */
export function* decideDoubt(
  ids: readonly [string, string],
  isOneSale: boolean | null,
): Statements<boolean> {
  const [first = '', second = ''] = [...ids].sort();
  const stored = yield* get(selectStored, [first, second]);
  if (!stored) return false;
  const verdict = isOneSale === null ? null : isOneSale ? 'one' : 'two';
  if (verdict === stored.verdict) return true;
  if (!stored.isOpen && (isOneSale || stored.verdict === null)) return false;
  const [a, b] = yield* pairOf([first, second]);
  const dropped = isOneSale && a && b ? droppedOf(a, b) : undefined;
  yield* run('UPDATE sale_doubt SET verdict = ?, dropped = ? WHERE first = ? AND second = ?', [
    verdict,
    dropped?.id ?? null,
    first,
    second,
  ]);
  return true;
}
