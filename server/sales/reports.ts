/** Stores what other checkouts and files report of sales. Each report that changes something is a row. */

import { createHmac } from 'node:crypto';
import { sourceText } from '../attribution/source-name.ts';
import { columns, computed } from '../database/columns.ts';
import { all, exists, run, type Statements } from '../database/database.ts';
import { type Row, schema } from '../database/schema.ts';
import { ensureSecret, secret } from '../database/secrets.ts';
import { equalsIgnoringCase, mayHoldAddress, sql } from '../database/sql.ts';
import { addressSearch } from '../text/email-address.ts';
import type { ReportedSale } from './fold.ts';
import type { Sale } from './sale.ts';

/** A sale as another checkout or a file reports it. */
export interface SaleReport extends Sale {
  /**
   * When `refunded` and `disputed` were so, milliseconds since 1970, UTC. Without it, a known sale only
   * takes a higher refund, so that old reports can be repeated.
   */
  asOf?: number | undefined;
}

const reportColumns = columns(
  'sale_report',
  ...(['id', 'at', 'amount', 'refunded', 'disputed', 'currency', 'email', 'source'] as const),
  { firstSource: 'first_source', reportedAt: 'reported_at' },
  'button',
);
const selectReports = sql`SELECT ${reportColumns} FROM sale_report WHERE id = ? ORDER BY reported_at`;

/** All reports of a sale, oldest first. */
export function* reportsOf(id: string): Statements<ReportedSale[]> {
  const reports = yield* all(selectReports, [id]);
  // Sources with an email address stay until the nightly job replaces them.
  return reports.map((report) => ({
    ...report,
    source: report.source && sourceText(report.source),
    firstSource: report.firstSource && sourceText(report.firstSource),
  }));
}

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
  yield* run(adoptOne, [sale.id]);
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
  const before = states.filter(({ reportedAt }) => reportedAt < asOf);
  const after = states.filter(({ reportedAt }) => reportedAt > asOf);
  const isBetweenEqual = isSame(state, before.at(-1)) && isSame(state, after[0]);
  if (isBetweenEqual && !same) return 'known';
  // Also when nothing differs: a report of an earlier time can arrive later.
  if (isBetweenEqual) yield* remove(state);
  else yield* write(state);
  for (const [near, far] of [
    [before.at(-1), before.at(-2)],
    [after[0], after[1]],
  ]) {
    if (near && isSame(state, near) && isSame(state, far)) yield* remove(near);
  }
  return 'changed';
}

/**
 * Of equal states in a row, the first and the last stay, so that repeated reports add no rows. A lower report
 * of the time of a removed one then counts: that moves dates in the cash figures, never a total.
 */
const isSame = (state: ReportedSale, other: ReportedSale | undefined) =>
  state.refunded === other?.refunded && state.disputed === other.disputed;

const remove = ({ id, reportedAt }: ReportedSale): Statements<number> =>
  run('DELETE FROM sale_report WHERE id = ? AND reported_at = ?', [id, reportedAt]);

const names = Object.keys(schema.sale_report);
const upsert = `INSERT INTO sale_report (${names.join(', ')})
  VALUES (${names.map(() => '?').join(', ')})
  ON CONFLICT (id, reported_at) DO UPDATE
  SET refunded = excluded.refunded, disputed = excluded.disputed`;

const write = ({
  id,
  reportedAt,
  at,
  amount,
  refunded,
  disputed,
  currency,
  email,
  source,
  firstSource,
  button,
}: ReportedSale): Statements<number> =>
  run(upsert, [
    ...[id, reportedAt, at, amount, refunded, disputed, currency],
    ...[email, source, firstSource, button],
  ]);

const adopted = `INSERT INTO sale_report
    (id, reported_at, at, amount, refunded, disputed, currency, email, source, first_source, button)
  SELECT id, ${earliest}, at, amount, refunded, disputed, currency, email, source, first_source,
    button
  FROM conversion WHERE origin = 'report'
    AND NOT EXISTS (SELECT 1 FROM sale_report WHERE sale_report.id = conversion.id)`;
const adoptOne = `${adopted} AND id = ?`;

/** Maximum sales per transaction, so that visitors' writes can run in between. */
export const batchSize = 100;

const salesAfter = sql`SELECT ${columns('conversion', 'id', 'refunded', {
  isOrphan: computed<number>(
    `CASE WHEN origin = 'report' AND (
        NOT EXISTS (SELECT 1 FROM sale_report WHERE sale_report.id = conversion.id)
        OR refunded > (SELECT max(sale_report.refunded) FROM sale_report
            WHERE sale_report.id = conversion.id)
          AND NOT EXISTS (SELECT 1 FROM payment_event WHERE payment = conversion.id))
     THEN 1 ELSE 0 END`,
  ),
})} FROM conversion WHERE id > ? ORDER BY id LIMIT ${10 * batchSize}`;

/**
 * A sale that an earlier version stored without a report, or refunded further beside this one during an
 * update.
 */
export type Orphan = Pick<Row<'conversion'>, 'id' | 'refunded'>;

/** Looks for orphans in one batch of sales after this id; `last` is undefined after the last batch. */
export function* orphansAfter(
  after: string,
): Statements<{ orphans: Orphan[]; last: string | undefined }> {
  const page = yield* all(salesAfter, [after]);
  return { orphans: page.filter(({ isOrphan }) => isOrphan === 1), last: page.at(-1)?.id };
}

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

const selectSources = sql`SELECT DISTINCT ${columns('sale_report', 'source', { first: 'first_source' })}
  FROM sale_report`;

/** Replaces sources with an email address by `email`. Only versions that stored no reports accepted them. */
export function* cleanReportSources(): Statements<void> {
  const rows = yield* all(selectSources);
  const stored = new Set(rows.flatMap(({ source, first }) => [source, first]));
  for (const text of stored) {
    const clean = text && sourceText(text);
    if (clean === text) continue;
    yield* run('UPDATE sale_report SET source = ? WHERE source = ?', [clean, text]);
    yield* run('UPDATE sale_report SET first_source = ? WHERE first_source = ?', [clean, text]);
  }
}
