/** Plants an error into each column of each row that sales result in. */
import { beforeEach, expect, it } from 'vitest';
import { tokenOf } from '../attribution/token.ts';
import { handTyped } from '../database/columns.ts';
import { all, run, type Statements } from '../database/database.ts';
import { schema } from '../database/schema.ts';
import type { Value } from '../database/value.ts';
import { freshStores } from '../testing/engines.ts';
import {
  dispute,
  event,
  refund,
  session,
  type TestEvent,
  timeOf,
} from '../testing/stripe/events.ts';
import { eventOf } from './stripe/facts.ts';

type AnyRow = Record<string, Value>;
const tables = ['conversion', 'sale_entry', 'sale_report', 'sale_doubt'] as const;
type ComparedTable = (typeof tables)[number];

/** What only a report says: when it was so, and what was disputed before a later report. */
const onlyReported = ['reported_at', 'disputed'];

/** Other valid values of columns that hold one of a few words, or an id. */
const others: Record<string, (value: Value) => Value> = {
  origin: (value) => (value === 'payment' ? 'report' : 'payment'),
  kind: (value) => (value === 'refund' ? 'dispute' : 'refund'),
  verdict: (value) => (value === 'one' ? 'two' : 'one'),
  source_id: (value) => (value === 1 ? 2 : 1),
};

function changed(column: string, value: Value): Value {
  const other = others[column];
  if (other) return other(value);
  return typeof value === 'number' ? value + 100 : `${value ?? ''}x`;
}

/** Enough rows for each kind of them. */
const firstRows = (table: ComparedTable) =>
  all(handTyped<AnyRow>(`SELECT * FROM ${table} ORDER BY 1, 2 LIMIT 4`));

function* replaceRow(
  table: ComparedTable,
  before: AnyRow | undefined,
  after: AnyRow | undefined,
): Statements<void> {
  if (before) {
    const given = Object.entries(before).filter(([, value]) => value !== null);
    const condition = given.map(([name]) => `${name} = ?`).join(' AND ');
    const values = given.map(([, value]) => value);
    yield* run(`DELETE FROM ${table} WHERE ${condition}`, values);
  }
  if (after) {
    const names = Object.keys(after);
    const places = names.map(() => '?').join(', ');
    const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`;
    yield* run(insert, Object.values(after));
  }
}

const { stores, withDatabase } = freshStores();

const receive = (body: TestEvent) =>
  stores.payments.receive({
    event: eventOf(body),
    payload: JSON.stringify(body),
    receivedAt: timeOf(1_000_000),
  });
const report = (id: string, change: Record<string, unknown> = {}) =>
  stores.sales.report({
    id,
    at: timeOf(500),
    amount: 4900,
    refunded: 900,
    disputed: 100,
    currency: 'EUR',
    email: null,
    source: 'newsletter/email/spring-sale',
    firstSource: 'podcast',
    button: 'hero',
    ...change,
  });
const found = async () => (await stores.sales.compare()).differences.length > 0;

beforeEach(async () => {
  const attribution = { first: 'blog', last: 'podcast', button: 'hero', day: 20_522 };
  const reference = tokenOf(attribution, await stores.analytics.attributionKey());
  const tax = { total_details: { amount_tax: 700 } };
  await receive(
    event('checkout.session.completed', session({ client_reference_id: reference, ...tax })),
  );
  await receive(event('refund.created', refund(), 100));
  await receive(event('charge.dispute.closed', dispute({ amount: 300, status: 'lost' }), 200));
  await receive(event('charge.dispute.created', dispute({ id: 'du_2', amount: 400 }), 300));
  for (const [n, isOneSale] of [true, false, null].entries()) {
    const pair = [`shop-${n}a`, `shop-${n}b`] as const;
    for (const id of pair) await report(id, { email: `buyer${n}@example.com` });
    expect(await stores.sales.decideDoubt(pair, isOneSale)).toBe(true);
  }
  await report('shop-0a', { refunded: 1900, asOf: timeOf(900) });
  expect(await stores.sales.compare()).toEqual({ checked: 7, differences: [], unconverted: [] });
});

it.each(tables)('compare finds a changed column and a missing row of %s', async (table) => {
  const missed: string[] = [];
  await withDatabase(async (database) => {
    const rows = await database.read(() => firstRows(table));
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) {
      const plant = async (error: string, wrong: AnyRow | undefined) => {
        await database.write(() => replaceRow(table, row, wrong));
        if (!(await found())) missed.push(`${Object.values(row)}: ${error}`);
        await database.write(() => replaceRow(table, wrong, row));
      };
      await plant('missing', undefined);
      for (const column of Object.keys(schema[table])) {
        if (table === 'sale_report' && onlyReported.includes(column)) continue;
        await plant(column, { ...row, [column]: changed(column, row[column] ?? null) });
      }
    }
  });
  expect(missed).toEqual([]);
  expect(await stores.sales.compare()).toMatchObject({ differences: [] });
});

it.each(['conversion', 'sale_entry', 'sale_report'] as const)(
  'compare finds a row of %s that no event and no report results in',
  async (table) => {
    await withDatabase((database) =>
      database.write(function* () {
        const [row] = yield* firstRows(table);
        const id = table === 'sale_entry' ? 'sale' : 'id';
        yield* replaceRow(table, undefined, { ...row, [id]: 'unknown' });
      }),
    );
    expect(await found()).toBe(true);
  },
);
