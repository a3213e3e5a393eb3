/** What PostgreSQL reads for a page of everything that was counted. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { all, type Statement, type Statements, type Transaction } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openPostgres, type Postgres } from '../database/postgres/postgres.ts';
import { freshSchema } from '../testing/engines.ts';
import { allEvents } from './bulk-sql.ts';
import { activities } from './store.ts';
import { createAnalyticsStore } from './store-sql.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const marks = Array.from({ length: 12_000 }, (_, n) => ({
  activity: activities[n % activities.length] ?? 'page_view',
  control: null,
  source: n % 3 === 0 ? 'podcast' : null,
  at: noon + n * 1000,
}));

let place: Awaited<ReturnType<typeof freshSchema>>;
let database: Postgres;

beforeEach(async () => {
  place = await freshSchema();
  database = await openPostgres(place.url);
  await migrate(database);
  await createAnalyticsStore(database).importEvents(marks);
  await database.write(() => all('ANALYZE mark'));
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  Plans?: Plan[];
}

/** Rows that were taken from tables. */
const readBy = ({ Plans = [], ...plan }: Plan): number =>
  (/(?<!Bitmap Index) Scan$/.test(plan['Node Type']) ? plan['Actual Rows'] : 0) +
  Plans.reduce((sum, part) => sum + readBy(part), 0);

it('is no more than a page of each kind, however much comes after it', async () => {
  const read: number[] = [];
  const explaining = <T>(job: Transaction<T>): Transaction<T> =>
    function* (): Statements<T> {
      const steps = job();
      let step = steps.next();
      while (!step.done) {
        read.push(yield* rowsReadFor(step.value));
        step = steps.next(yield step.value);
      }
      return step.value;
    };
  const observed = {
    ...database,
    read: <T>(job: Transaction<T>) => database.read(explaining(job)),
  };
  const found = [];
  for await (const mark of allEvents(observed, { from: 0, to: 2 * noon })) found.push(mark);
  expect(found).toEqual(marks);
  // And the name of a source for each kind.
  expect(Math.max(...read)).toBeLessThanOrEqual(activities.length * (1000 + 1));
});

function* rowsReadFor({ sql, values }: Statement): Statements<number> {
  const text = typeof sql === 'string' ? sql : sql.postgres;
  const [row] = yield* all<Record<'QUERY PLAN', { Plan: Plan }[]>>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  return row?.['QUERY PLAN'].reduce((sum, { Plan }) => sum + readBy(Plan), 0) ?? 0;
}
