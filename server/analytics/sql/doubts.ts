/** Pairs of sales that may be one: a checkout and a report of it, for example, with different ids. */
import { columns } from '../../database/columns.ts';
import { all, exists, run, type Statements } from '../../database/database.ts';
import { equalsIgnoringCase, sql } from '../../database/sql.ts';
import type { Conversion, Doubt, SettledSale } from '../store.ts';

/** The longest time between the two reports of one sale, in ms. */
const minute = 60_000;

/** Most pairs that are listed. */
const maxListed = 20;

type Doubted = Pick<Conversion, 'id' | 'at' | 'amount' | 'currency' | 'email'> &
  Pick<SettledSale, 'via'>;

const selectTwins = sql`SELECT ${columns('conversion', 'id')} FROM conversion
  WHERE at >= ? AND at <= ? AND id <> ? AND amount = ? AND currency = ? AND via <> 'other'
    AND ${equalsIgnoringCase('email')} LIMIT ${maxListed}`;

const pairColumns = columns(
  'conversion',
  ...(['id', 'at', 'amount', 'refunded', 'disputed', 'currency', 'email', 'source'] as const),
  { firstSource: 'first_source' },
  'control',
  'via',
);
type PairRow = (typeof pairColumns)['selects'];

/** Stores the pairs of a new sale with those of the same buyer, amount and minute. */
export function* raiseDoubts({ id, at, amount, currency, email, via }: Doubted): Statements<void> {
  if (email === null || amount === 0 || via === 'other') return;
  const values = [at - minute, at + minute, id, amount, currency, email];
  for (const twin of yield* all(selectTwins, values)) {
    const [first, second] = [id, twin.id].sort();
    yield* run('INSERT INTO sale_doubt (first, second) VALUES (?, ?) ON CONFLICT DO NOTHING', [
      first ?? '',
      second ?? '',
    ]);
  }
}

const selectDropped = sql`SELECT 1 AS one FROM sale_doubt WHERE dropped = ?`;

/** Whether the owner said that this sale is counted under another id. */
export const isDropped = (id: string): Statements<boolean> => exists(selectDropped, [id]);

const selectUndecided = sql`SELECT ${columns('sale_doubt', 'first', 'second')} FROM sale_doubt
  WHERE verdict IS NULL ORDER BY first, second LIMIT ${maxListed}`;
const selectPair = sql`SELECT ${pairColumns} FROM conversion WHERE id IN (?, ?) ORDER BY at, id`;

/** The sales of a pair, the earlier one first. */
const pairOf = (ids: readonly [string, string]) => all(selectPair, ids);

/** Lists pairs that the owner has not decided, when both still count and look the same. */
export function* openDoubts(): Statements<Doubt[]> {
  const doubts: Doubt[] = [];
  for (const { first, second } of yield* all(selectUndecided)) {
    const [a, b] = yield* pairOf([first, second]);
    if (a && b && isSame(a, b)) doubts.push([toConversion(a), toConversion(b)]);
  }
  return doubts;
}

const isSame = (a: PairRow, b: PairRow) =>
  [a, b].every(({ via }) => via !== 'other') &&
  a.email !== null &&
  a.email.toLowerCase() === b.email?.toLowerCase() &&
  a.amount === b.amount &&
  a.currency === b.currency;

const toConversion = ({ via: _, ...sale }: PairRow): Conversion => sale;

/** Stores whether two sales are one; null asks again. Returns false when they are no such pair. */
export function* decideDoubt(
  ids: readonly [string, string],
  isOneSale: boolean | null,
): Statements<boolean> {
  const [first = '', second = ''] = [...ids].sort();
  const pair = yield* pairOf([first, second]);
  const verdict = isOneSale === null ? null : isOneSale ? 'one' : 'two';
  // Stripe tells more about a sale than a report of it. Of two reports, the first one stays.
  const dropped = isOneSale ? (pair.findLast(({ via }) => via === 'report') ?? pair[1]) : undefined;
  const changed = yield* run(
    'UPDATE sale_doubt SET verdict = ?, dropped = ? WHERE first = ? AND second = ?',
    [verdict, dropped?.id ?? null, first, second],
  );
  return changed > 0;
}
