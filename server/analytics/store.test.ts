/** Counts how often the store looks up sources that it could have cached. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Statement, Statements, Transaction } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openSqlite, type Sqlite } from '../database/sqlite/sqlite.ts';
import type { AnalyticsStore } from './store.ts';
import { createAnalyticsStore } from './store.ts';

const noon = Date.UTC(2026, 0, 1, 12);

let folder: string;
let database: Sqlite;
let analytics: AnalyticsStore;
/** Statements that have looked for names of sources. */
let looked = 0;
/** Makes a transaction fail at its end. */
let isTakenBack = false;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shingle-store-'));
  database = openSqlite(join(folder, 'shingle.db'));
  await migrate(database);
  analytics = createAnalyticsStore({
    ...database,
    append: (transaction) => database.append(counting(transaction)),
  });
  looked = 0;
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const counting = <T>(transaction: Transaction<T>): Transaction<T> =>
  function* (): Statements<T> {
    const statements = transaction();
    let step = statements.next();
    while (!step.done) {
      if (textOf(step.value).includes('FROM source WHERE name')) looked += 1;
      step = statements.next(yield step.value);
    }
    if (isTakenBack) throw new Error('taken back');
    return step.value;
  };

const textOf = ({ sql }: Statement) => (typeof sql === 'string' ? sql : sql.sqlite);

let visitors = 0;
/** A new visitor from this source. */
const view = (source: string) =>
  analytics.addEvent({
    activity: 'page_view',
    button: null,
    at: noon,
    visitor: String(++visitors).padStart(32, '0'),
    source,
  });

it('a source name is looked up until it is on disk', async () => {
  await view('podcast');
  // Found missing, brought, found.
  expect(looked).toBe(2);
  for (let n = 0; n < 5; n++) await view('podcast');
  expect(looked).toBe(2);
});

it('names beyond the limit are looked up once per commit', async () => {
  for (let n = 0; n < 100; n++) await view(`learned ${n}`);
  looked = 0;
  await Promise.all(Array.from({ length: 50 }, (_, n) => view(`too many ${n}`)));
  expect(looked).toBe(2);
  expect((await analytics.sources({ from: 0, to: noon + 1 })).length).toBe(101);
});

it('a source id of a rolled-back write is not cached', async () => {
  isTakenBack = true;
  await expect(view('podcast')).rejects.toThrow('taken back');
  isTakenBack = false;
  looked = 0;
  await view('podcast');
  expect(looked).toBe(2);
  expect(await analytics.sources({ from: 0, to: noon + 1 })).toMatchObject([
    { source: 'podcast', pageViews: 1 },
  ]);
});
