/** How many rows PostgreSQL reads for one page. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { handTyped } from '../../database/columns.ts';
import { all, type Statement, type Statements, type Transaction } from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { openPostgres, type Postgres } from '../../database/postgres/postgres.ts';
import { sql } from '../../database/sql.ts';
import { freshSchema } from '../../testing/engines.ts';
import { activities } from '../model.ts';
import { createAnalyticsStore } from '../store.ts';
import { allEvents } from './bulk-sql.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const events = Array.from({ length: 12_000 }, (_, n) => ({
  activity: activities[n % activities.length] ?? 'page_view',
  button: null,
  source: n % 3 === 0 ? 'podcast' : null,
  at: noon + n * 1000,
}));

let testDatabase: Awaited<ReturnType<typeof freshSchema>>;
let database: Postgres;

beforeEach(async () => {
  testDatabase = await freshSchema();
  database = await openPostgres(testDatabase.url);
  await migrate(database);
  await createAnalyticsStore(database).importEvents(events);
  await database.write(() => all(sql`ANALYZE event`));
});
afterEach(async () => {
  await database.close();
  await testDatabase.remove();
});

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  Plans?: Plan[];
}

/** Number of rows read from tables. */
const readBy = ({ Plans = [], ...plan }: Plan): number =>
  (/(?<!Bitmap Index) Scan$/.test(plan['Node Type']) ? plan['Actual Rows'] : 0) +
  Plans.reduce((sum, part) => sum + readBy(part), 0);

it('a page reads at most one page of rows of each kind', async () => {
  const read: number[] = [];
  const explaining = <T>(transaction: Transaction<T>): Transaction<T> =>
    function* (): Statements<T> {
      const statements = transaction();
      let step = statements.next();
      while (!step.done) {
        read.push(yield* rowsReadFor(step.value));
        step = statements.next(yield step.value);
      }
      return step.value;
    };
  const observed = {
    ...database,
    read: <T>(transaction: Transaction<T>) => database.read(explaining(transaction)),
  };
  const found = [];
  for await (const event of allEvents(observed, { from: 0, to: 2 * noon })) found.push(event);
  expect(found).toEqual(events);
  // And the name of a source for each kind.
  expect(Math.max(...read)).toBeLessThanOrEqual(activities.length * (1000 + 1));
});

function* rowsReadFor({ sql, values }: Statement): Statements<number> {
  const text = typeof sql === 'string' ? sql : sql.postgres;
  const [row] = yield* all(
    handTyped<Record<'QUERY PLAN', { Plan: Plan }[]>>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`),
    values,
  );
  return row?.['QUERY PLAN'].reduce((sum, { Plan }) => sum + readBy(Plan), 0) ?? 0;
}
