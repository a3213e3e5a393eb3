/** Cleaning of sources with an email address while the site runs, by statement. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storesOn } from '../../app/stores.ts';
import { columns } from '../../database/columns.ts';
import {
  all,
  type Database,
  run,
  type Statements,
  type Transaction,
} from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { openPostgres } from '../../database/postgres/postgres.ts';
import { sql } from '../../database/sql.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { freshSchema } from '../../testing/engines.ts';
import { createAnalyticsStore } from '../store.ts';

const day = 24 * 60 * 60_000;
const noon = Date.UTC(2026, 2, 10, 12);
const always = { from: 0, to: noon + 1000 * day };

const engines = [
  {
    name: 'SQLite',
    async create() {
      const folder = await mkdtemp(join(tmpdir(), 'shingle-sources-'));
      return {
        open: async (): Promise<Database> => openSqlite(join(folder, 'shingle.db')),
        remove: () => rm(folder, { recursive: true }),
      };
    },
  },
  {
    name: 'PostgreSQL',
    async create() {
      const { url, remove } = await freshSchema();
      return { open: (): Promise<Database> => openPostgres(url), remove };
    },
  },
];

describe.each(engines)('on $name', ({ create }) => {
  let testDatabase: Awaited<ReturnType<typeof create>>;
  let database: Database;
  let other: Database;
  /** The text of each statement in each write. */
  let writes: string[][];
  /** Runs after each write. */
  let afterWrite: () => Promise<void>;
  let watched: Database;
  beforeEach(async () => {
    testDatabase = await create();
    [database, other] = [await testDatabase.open(), await testDatabase.open()];
    await migrate(database);
    writes = [];
    afterWrite = async () => {};
    watched = watch(database);
  });
  afterEach(async () => {
    await Promise.all([database.close(), other.close()]);
    await testDatabase.remove();
  });

  const watch = (database: Database): Database => ({
    ...database,
    async write(transaction) {
      const result = await database.write(recorded(transaction, database.engine));
      await afterWrite();
      return result;
    },
  });
  const recorded = <T>(transaction: Transaction<T>, engine: Database['engine']): Transaction<T> =>
    function* (): Statements<T> {
      const texts: string[] = [];
      writes.push(texts);
      const statements = transaction();
      let step = statements.next();
      while (!step.done) {
        const { sql } = step.value;
        texts.push(typeof sql === 'string' ? sql : sql[engine]);
        step = statements.next(yield step.value);
      }
      return step.value;
    };
  const eventUpdates = () =>
    writes.filter((texts) => texts.some((text) => /^UPDATE event/.test(text)));
  const figures = async () => {
    const analytics = createAnalyticsStore(database);
    const sources = await analytics.sources(always);
    return Object.fromEntries(
      sources.map(({ source, pageViews, ctaClicks, conversions, revenue }) => [
        source,
        [pageViews, ctaClicks, conversions, revenue],
      ]),
    );
  };
  const expectSound = async () =>
    expect(await createAnalyticsStore(database).compareCounters()).toMatchObject({
      differences: [],
    });

  /** What earlier versions stored: `n` sources that name persons, on each of `days`. */
  const plant = async (n: number, days: number) => {
    const analytics = createAnalyticsStore(database);
    for (let d = 0; d < days; d++) {
      const at = noon - d * day;
      const names = Array.from({ length: n }, (_, i) => `person-${i}@example.com`);
      const visits = [...names, 'email', 'podcast', 'instagram', null].flatMap((source) =>
        (['page_view', 'cta_click'] as const).map((activity) => ({
          activity,
          source,
          button: null,
          at,
        })),
      );
      await analytics.importEvents(visits);
      const sale = { at, email: null, amount: 4900, refunded: 0, disputed: 0, button: null };
      for (const source of ['email', 'podcast', 'instagram']) {
        await storesOn(database).sales.report({
          ...sale,
          id: `${source} ${d}`,
          currency: 'USD',
          source,
          firstSource: null,
        });
      }
    }
    // Earlier rules read the host of an address, and did not see the email address behind it.
    await database.write(function* () {
      yield* run(`UPDATE conversion SET source = 'to a@example.com', first_source = 'b@example.com'
        WHERE source = 'email'`);
      yield* run("UPDATE conversion SET source = ? WHERE source = 'instagram'", [
        'https://instagram.com/?e=ada%2540example.com',
      ]);
    });
  };

  it('cleaning 50 sources updates the visits of a day once', async () => {
    await plant(50, 1);
    await createAnalyticsStore(watched).cleanSources();
    expect(writes.flat().filter((text) => /^UPDATE event/.test(text))).toHaveLength(1);
    expect(await figures()).toEqual({
      null: [1, 1, 0, 0],
      email: [51, 51, 2, 9800],
      instagram: [1, 1, 0, 0],
      podcast: [1, 1, 1, 4900],
    });
  });

  it('cleaning sources commits after each day, and every figure is right in between', async () => {
    await plant(2, 3);
    await expectSound();
    const before = await createAnalyticsStore(database).totals(always);
    afterWrite = async () => {
      await expectSound();
      expect(await createAnalyticsStore(database).totals(always)).toEqual(before);
    };
    await createAnalyticsStore(watched).cleanSources();
    expect(eventUpdates()).toHaveLength(3);
    expect(await figures()).toEqual({
      null: [3, 3, 0, 0],
      email: [9, 9, 6, 29400],
      instagram: [3, 3, 0, 0],
      podcast: [3, 3, 3, 14700],
    });
    const texts = await database.read(() =>
      all(
        sql`SELECT DISTINCT ${columns('conversion', 'source', { first: 'first_source' })}
          FROM conversion ORDER BY source`,
      ),
    );
    expect(texts).toHaveLength(3);
    expect(texts).toEqual(
      expect.arrayContaining([
        { source: 'email', first: null },
        { source: 'email', first: 'email' },
        { source: 'podcast', first: null },
      ]),
    );
    writes = [];
    await createAnalyticsStore(watched).cleanSources();
    expect(eventUpdates()).toEqual([]);
  });

  it('two instances that clean sources at once count everything once', async () => {
    await plant(5, 4);
    await Promise.all([database, other].map((one) => createAnalyticsStore(one).cleanSources()));
    await expectSound();
    expect(await figures()).toMatchObject({ email: [24, 24, 8, 39200], instagram: [4, 4, 0, 0] });
  });

  it('an instance that has a cleaned source in memory loses no visits', async () => {
    const [earlier, analytics] = [createAnalyticsStore(other), createAnalyticsStore(database)];
    const view = (visitor: number) =>
      earlier.addEvent({
        activity: 'page_view',
        button: null,
        source: 'a@example.com',
        at: noon,
        visitor: String(visitor).padStart(32, '0'),
      });
    await view(1);
    await analytics.cleanSources();
    await view(2);
    await expectSound();
    await analytics.cleanSources();
    await expectSound();
    expect(await figures()).toEqual({ email: [2, 0, 0, 0] });
  });
});
