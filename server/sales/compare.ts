/** Compares the stored rows of sales with what their events and reports result in, column by column. */
import { direct } from '../attribution/source-ids.ts';
import { sourcePath } from '../attribution/source-name.ts';
import { columns, handTyped } from '../database/columns.ts';
import { all, type Database, get, readInBatches, type Statements } from '../database/database.ts';
import { type Row, schema } from '../database/schema.ts';
import { joined, type Query, sql } from '../database/sql.ts';
import { entryRows } from './cash.ts';
import { maxTwins, pairsOf } from './doubts.ts';
import { countedPaymentLinks } from './payment-links.ts';
import { conversionRow, settledSale } from './rows.ts';
import type { SettledSale } from './sale.ts';
import { computeSale } from './settle.ts';

type ComparedTable = 'conversion' | 'sale_entry' | 'sale_report' | 'sale_doubt' | 'stripe_fee';

/** A stored row that differs from the computed one, or one without the other. */
export interface RowDifference {
  /** Id of the sale. */
  sale: string;
  table: ComparedTable;
  /** The row, by its key. */
  row: string;
  /** What is wrong with it: `amount 9800 instead of 9700`. */
  problem: string;
}

export interface SaleCheck {
  /** Number of sales that were compared. */
  checked: number;
  differences: RowDifference[];
  /** Sales with a refund or dispute in a third currency, which no figure deducts. */
  unconverted: string[];
}

/** Sales that are compared in one snapshot, in a few milliseconds. */
const pageLength = 50;

/** Compares every sale, and every row of one. */
export async function compareSales(database: Database): Promise<SaleCheck> {
  const check: SaleCheck = { checked: 0, differences: [], unconverted: [] };
  for await (const { id, differences, isUnconverted } of compared(database, everySale)) {
    check.checked += 1;
    check.differences.push(...differences);
    if (isUnconverted) check.unconverted.push(id);
  }
  return check;
}

/** Yields the ids of payments that count differently from what their events result in. */
export async function* differingPayments(database: Database): AsyncGenerator<string> {
  for await (const { id, differences } of compared(database, everyPayment)) {
    if (differences.some(({ table }) => settledTables.includes(table))) yield id;
  }
}

/** The tables that `settle` writes. */
const settledTables: readonly ComparedTable[] = ['conversion', 'sale_entry'];

interface ComparedSale {
  id: string;
  differences: RowDifference[];
  isUnconverted: boolean;
}

const compared = (database: Database, { select, parts }: IdQuery) =>
  readInBatches(
    database,
    function* (last: ComparedSale | undefined): Statements<ComparedSale[]> {
      const sales: ComparedSale[] = [];
      const paymentLinks = yield* countedPaymentLinks();
      const values = Array.from({ length: parts }, () => last?.id ?? '');
      for (const { id } of yield* all(select, values)) {
        sales.push(yield* compareSale(paymentLinks, id));
      }
      return sales;
    },
    pageLength,
  );

function* compareSale(paymentLinks: readonly string[], id: string): Statements<ComparedSale> {
  const { sale, isUnconverted } = yield* computeSale(paymentLinks, id);
  const reports = yield* all(storedReports, [id]);
  const doubts = yield* all(storedDoubts, [id]);
  const differences = [
    ...differencesOf('conversion', ['id'], {
      stored: yield* all(storedSale, [id]),
      computed: sale ? [conversionRow(id, sale, yield* sourceIdOf(sale))] : [],
    }),
    ...differencesOf('sale_entry', ['sale', 'n'], {
      stored: yield* all(storedEntries, [id]),
      computed: sale ? entryRows(id, sale) : [],
    }),
    ...differencesOf('sale_report', ['id', 'reported_at'], {
      stored: reports,
      computed: reports.map(repeated(reports[0])),
    }),
    ...differencesOf('sale_doubt', ['first', 'second'], {
      stored: doubts,
      computed: [...doubts.map(decided), ...(sale ? yield* missingDoubts(id, sale, doubts) : [])],
    }),
  ];
  return { id, isUnconverted, differences: differences.map((found) => ({ sale: id, ...found })) };
}

const selectRows = <T extends ComparedTable>(table: T, key: string) =>
  handTyped<Row<T>>(
    sql`SELECT ${Object.keys(schema[table]).join(', ')} FROM ${table} WHERE ${key} = ?`,
  );
const storedSale = selectRows('conversion', 'id');
const storedEntries = selectRows('sale_entry', 'sale');
const storedReports = handTyped<Row<'sale_report'>>(
  sql`${selectRows('sale_report', 'id')} ORDER BY reported_at`,
);
const storedDoubts = selectRows('sale_doubt', 'first');

const selectSource = sql`SELECT ${columns('source', 'id')} FROM source WHERE name = ?`;

/** The id of the source that a sale counts under; -1 when it was never stored. */
function* sourceIdOf({ source }: SettledSale): Statements<number> {
  const path = sourcePath(source);
  return path === null ? direct : ((yield* get(selectSource, [path]))?.id ?? -1);
}

/** The row of a later report, which repeats what the first one says of the sale. */
const repeated =
  (first: Row<'sale_report'> | undefined) =>
  ({ reported_at, refunded, disputed, ...row }: Row<'sale_report'>): Row<'sale_report'> => ({
    ...(first ?? row),
    ...{ reported_at, refunded, disputed },
  });

/** Of a pair that is one sale, one of them is dropped; of others, none. */
function decided(row: Row<'sale_doubt'>): Row<'sale_doubt'> {
  const { first, second, verdict, dropped } = row;
  if (verdict !== 'one') return { ...row, dropped: null };
  return { ...row, dropped: dropped === first ? first : second };
}

/** The pairs of a sale that are not stored. A sale with many equal ones is in a pair with some of them only. */
function* missingDoubts(
  id: string,
  sale: SettledSale,
  stored: readonly Row<'sale_doubt'>[],
): Statements<Row<'sale_doubt'>[]> {
  const missing: Row<'sale_doubt'>[] = [];
  const pairs = yield* pairsOf({ id, ...sale });
  if (pairs.length === maxTwins) return missing;
  for (const [first, second] of pairs) {
    if (first !== id || stored.some((row) => row.second === second)) continue;
    const twin = yield* settledSale(second);
    if (!twin || (yield* pairsOf({ id: second, ...twin })).length === maxTwins) continue;
    missing.push({ first, second, verdict: null, dropped: null });
  }
  return missing;
}

/** Compares rows by their key, in both directions. */
export function differencesOf<T extends ComparedTable>(
  table: T,
  key: (keyof Row<T>)[],
  { stored, computed }: { stored: Row<T>[]; computed: Row<T>[] },
): Omit<RowDifference, 'sale'>[] {
  const keyOf = (row: Row<T>) => key.map((name) => row[name]).join(' ');
  const [before, after] = [stored, computed].map(
    (rows) => new Map(rows.map((row) => [keyOf(row), row])),
  );
  return [...new Set([...stored, ...computed].map(keyOf))].flatMap((row) => {
    const problem = problemOf(before?.get(row), after?.get(row));
    return problem === '' ? [] : [{ table, row, problem }];
  });
}

/** How a stored row differs from the computed one; '' if it does not. */
function problemOf<R extends object>(stored: R | undefined, computed: R | undefined): string {
  if (!stored) return 'is missing';
  if (!computed) return 'is not what anything results in';
  return (Object.keys(computed) as (keyof R & string)[])
    .filter((name) => stored[name] !== computed[name])
    .map((name) => `${name} ${stored[name]} instead of ${computed[name]}`)
    .join(', ');
}

interface IdQuery {
  select: Query<{ id: string }>;
  parts: number;
}

/** The next ids after one that several tables may hold, sorted, so that one missing in any of them is found. */
function idsIn(
  tables: readonly { table: ComparedTable | 'payment_event'; id: string; where?: string }[],
): IdQuery {
  const pages = tables.map(
    ({ table, id, where = '' }) => `SELECT id FROM (SELECT DISTINCT ${id} AS id FROM ${table}
      WHERE ${id} > ? ${where} ORDER BY ${id} LIMIT ${pageLength}) AS of_${table}`,
  );
  return {
    select: handTyped(sql`${joined(pages, ' UNION ')} ORDER BY id LIMIT ${pageLength}`),
    parts: tables.length,
  };
}

const everySale = idsIn([
  { table: 'payment_event', id: 'payment' },
  { table: 'conversion', id: 'id' },
  { table: 'sale_entry', id: 'sale' },
  { table: 'sale_report', id: 'id' },
]);
/** Without sales that are only reported: they depend on no setting. */
const everyPayment = idsIn([
  { table: 'payment_event', id: 'payment' },
  { table: 'conversion', id: 'id', where: `AND origin <> 'report'` },
]);
