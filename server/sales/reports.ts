/** Stores what other checkouts and files report of sales. Each report that changes something is a row. */

import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { columns } from '../database/columns.ts';
import { all, exists, run, type Statements } from '../database/database.ts';
import { ensureSecret, secret } from '../database/secrets.ts';
import { equalsIgnoringCase, insertInto, jsonOf, mayHoldAddress, sql } from '../database/sql.ts';
import { addressSearch } from '../text/email-address.ts';
import type { ReportedSale } from './fold.ts';
import { type Sale, saleFields, saleRow } from './sale.ts';

/** A sale as another checkout or a file reports it. */
export interface SaleReport extends Sale {
  /**
   * When `refunded` and `disputed` were so, milliseconds since 1970, UTC. Without it, a known sale only
   * takes a higher refund, so that old reports can be repeated.
   */
  asOf?: number | undefined;
}

const reportColumns = columns('sale_report', saleFields, { reportedAt: 'reported_at' });
const selectReports = sql`SELECT ${reportColumns} FROM sale_report WHERE id = ? ORDER BY reported_at`;

/** All reports of a sale, oldest first. */
export const reportsOf = (id: string): Statements<ReportedSale[]> => all(selectReports, [id]);

/** The time of a first report without one: all others are later. */
const earliest = 0;

/**
 * What became of a report. `otherCurrency`: a known sale was reported in another currency, so nothing was
 * stored.
 */
export type ReportResult = 'new' | 'changed' | 'known' | 'otherCurrency';

/** Stores a report that arrives at `now`, in milliseconds since 1970, UTC. */
export function* addReport(
  { asOf: reportedAsOf, ...sale }: SaleReport,
  now: number,
): Statements<ReportResult> {
  const states = yield* reportsOf(sale.id);
  const [first] = states;
  // A clock ahead of ours would hide later reports.
  const asOf = reportedAsOf === undefined ? undefined : Math.min(reportedAsOf, now);
  if (!first) {
    yield* write({ ...sale, reportedAt: asOf ?? earliest });
    return 'new';
  }
  if (sale.currency !== first.currency) return 'otherCurrency';
  const newest = states.at(-1) ?? first;
  const refunded = Math.min(sale.refunded, first.amount);
  if (asOf === undefined) {
    if (refunded <= newest.refunded) return 'known';
    const disputed = Math.min(newest.disputed, first.amount - refunded);
    const reportedAt = Math.max(now, newest.reportedAt + 1);
    yield* write({ ...first, refunded, disputed, reportedAt });
    return 'changed';
  }
  const disputed = Math.min(sale.disputed, first.amount - refunded);
  const state: ReportedSale = { ...first, refunded, disputed, reportedAt: asOf };
  const same = states.find(({ reportedAt }) => reportedAt === asOf);
  // Of two reports of one time, the one with more stays, in any order of arrival.
  if (same && (same.refunded - refunded || same.disputed - disputed) >= 0) return 'known';
  const condensed = withoutRepeats([...states.filter((one) => one !== same), state]);
  if (isDeepStrictEqual(condensed, states)) return 'known';
  for (const { reportedAt } of states.filter((one) => !condensed.includes(one))) {
    yield* run('DELETE FROM sale_report WHERE id = ? AND reported_at = ?', [sale.id, reportedAt]);
  }
  if (condensed.includes(state)) yield* write(state);
  return 'changed';
}

/**
 * States in the order of their time. Of equal ones in a row, the first and the last stay, so that repeated
 * reports add no rows. A lower report of the time of a removed one then counts: that moves dates in the cash
 * figures, never a total.
 */
const withoutRepeats = (states: readonly ReportedSale[]): ReportedSale[] =>
  states
    .toSorted((a, b) => a.reportedAt - b.reportedAt)
    .filter((one, i, all) => !(isSame(one, all[i - 1]) && isSame(one, all[i + 1])));

const isSame = (state: ReportedSale, other: ReportedSale | undefined) =>
  state.refunded === other?.refunded && state.disputed === other.disputed;

const write = (report: ReportedSale): Statements<number> =>
  run(insertInto('sale_report'), [
    jsonOf('sale_report', [{ ...saleRow(report), reported_at: report.reportedAt }]),
  ]);

/** Maximum sales per transaction, so that visitors' writes can run in between. */
const batchSize = 100;

const ofBuyer = sql`SELECT DISTINCT ${columns('sale_report', 'id')} FROM sale_report
  WHERE ${equalsIgnoringCase('email')}`;
const ofBuyersBefore = sql`SELECT DISTINCT ${columns('sale_report', 'id')} FROM sale_report
  WHERE email IS NOT NULL AND at < ? LIMIT ${batchSize}`;
const withAddress = sql`SELECT DISTINCT ${columns('sale_report', 'id', 'email')} FROM sale_report
  WHERE ${mayHoldAddress}`;
const withAddressBefore = sql`SELECT DISTINCT ${columns('sale_report', 'id')} FROM sale_report
  WHERE id LIKE '%@%' AND at < ? LIMIT ${batchSize}`;

/** The ids of reported sales to this email address, or with it in their id. */
export function* reportsTo(address: string): Statements<string[]> {
  const holds = addressSearch(address);
  const rows = [...(yield* all(ofBuyer, [address]))];
  for (const row of yield* all(withAddress)) {
    if (holds(row.id) || holds(row.email ?? '')) rows.push(row);
  }
  return [...new Set(rows.map(({ id }) => id))];
}

/** The ids of one batch of sales before `before` (ms since 1970, UTC) that were reported with a buyer, or an address in their id. */
export function* reportsBefore(before: number): Statements<string[]> {
  const found = yield* all(ofBuyersBefore, [before]);
  const rows = found.length > 0 ? found : yield* all(withAddressBefore, [before]);
  return rows.map(({ id }) => id);
}

/**
 * Deletes the buyer from the reports of a sale, whose id is replaced by a digest where it holds an address. Returns
 * the id that it has then.
 */
export function* eraseReports(id: string): Statements<string> {
  yield* run('UPDATE sale_report SET email = NULL WHERE id = ?', [id]);
  if (!id.includes('@')) return id;
  const digest = digestOf(id, yield* ensureSecret('erasure'));
  yield* run('UPDATE sale_report SET id = ? WHERE id = ?', [digest, id]);
  return digest;
}

/** A later report of the sale is recognized by it. Without the database's key nobody can guess the address. */
const digestOf = (id: string, key: Buffer) =>
  `erased-${createHmac('sha256', key).update(id).digest('hex').slice(0, 32)}`;

/** Returns the id under which a sale is stored: a digest when its own id held the address of an erased buyer. */
export function* storedId(id: string): Statements<string> {
  const key = id.includes('@') ? yield* secret('erasure') : undefined;
  if (key === undefined) return id;
  const digest = digestOf(id, key);
  return (yield* exists('SELECT 1 AS one FROM sale_report WHERE id = ?', [digest])) ? digest : id;
}
