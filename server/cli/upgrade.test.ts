/** This release upgrades a database of every older schema, with data in it, and keeps its figures. */
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { databaseFile } from '../app/data-folder.ts';
import { handTyped } from '../database/columns.ts';
import { all, type Database, run, type Statements, script } from '../database/database.ts';
import { migrate, migrations } from '../database/migrate.ts';
import { openPostgres } from '../database/postgres/postgres.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import type { Value } from '../database/value.ts';
import { eventOf } from '../stripe/facts.ts';
import { createOwner, engines, now, type TestOwner } from '../testing/cli-io.ts';
import { freshSchema } from '../testing/engines.ts';
import { charge, event, session, timeOf } from '../testing/stripe/events.ts';

type StoredRow = Record<string, Value>;
/** The columns of each table. */
type Tables = Map<string, string[]>;

const rowsPerInsert = 100;

/** Earlier schemas counted neither sources nor booked calls; no release had them. */
const oldestVersion = 3;

const sales = `id,amount,currency,email,source,timestamp,refunded
order-1,4900,USD,ada@example.com,newsletter,2026-11-01T09:30:00Z,0
order-2,9700,EUR,,,2026-11-02T18:05:00+01:00,2000
order-3,2900,USD,bob@example.com,Instagram,2026-11-03T18:05:00Z,900
`;

/** An owner whose database has no tables yet. */
const emptyOwner = (engine: (typeof engines)[number]) =>
  createOwner({
    name: engine.name,
    create: async () => {
      if (engine.name === 'SQLite') return engine.create();
      const { url, remove } = await freshSchema();
      return { settings: { DATABASE_URL: url, SESSION_SECRET: 'secret of every one' }, remove };
    },
  });

async function inDatabase<T>({ settings }: TestOwner, work: (database: Database) => Promise<T>) {
  const database =
    settings.DATABASE_URL === undefined
      ? openSqlite(databaseFile(settings.DATA_DIR ?? ''))
      : await openPostgres(settings.DATABASE_URL);
  return work(database).finally(() => database.close());
}

const columnNames = handTyped<{ table: string; column: string }>({
  sqlite: `SELECT t.name AS "table", c.name AS "column"
    FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT IN ('schema_version', 'sqlite_stat1')`,
  postgres: `SELECT table_name AS "table", column_name AS "column"
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name <> 'schema_version'`,
});

/** All rows of each table, with these columns. */
function* rowsOf(tables: Tables): Statements<Map<string, StoredRow[]>> {
  const rows = new Map<string, StoredRow[]>();
  for (const [table, columns] of tables) {
    const names = columns.join(', ');
    rows.set(
      table,
      yield* all(handTyped<StoredRow>(`SELECT ${names} FROM ${table} ORDER BY ${names}`)),
    );
  }
  return rows;
}

function* tablesOf(): Statements<Tables> {
  const tables: Tables = new Map();
  for (const { table, column } of yield* all(columnNames)) {
    tables.set(table, [...(tables.get(table) ?? []), column]);
  }
  return tables;
}

/** Stores rows of this release as a program of the current schema would have: in the columns that it has. */
function* insertRows(tables: Tables, rows: Map<string, StoredRow[]>): Statements<void> {
  for (const [table, columns] of tables) {
    yield* run(`DELETE FROM ${table}`);
    const parameters = `(${columns.map(() => '?').join(', ')})`;
    const stored = rows.get(table) ?? [];
    for (let i = 0; i < stored.length; i += rowsPerInsert) {
      const inserted = stored.slice(i, i + rowsPerInsert);
      yield* run(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${inserted.map(() => parameters).join(', ')}`,
        inserted.flatMap((row) => columns.map((column) => row[column] ?? null)),
      );
    }
  }
}

const campaign = '(SELECT id FROM source WHERE parent IS NOT NULL)';
const campaigns = `(SELECT campaign.id, campaign.name AS path, campaign.parent, source.name
  FROM source AS campaign JOIN source ON source.id = campaign.parent) AS campaigns`;
/** Moves rows from campaigns, which earlier schemas do not have, to their sources. */
const removeCampaigns = `
  UPDATE mark SET source = campaigns.parent FROM ${campaigns} WHERE campaigns.id = mark.source;
  UPDATE conversion SET source_id = campaigns.parent, source = campaigns.name
    FROM ${campaigns} WHERE campaigns.id = source_id;
  UPDATE sale_report SET source = campaigns.name
    FROM ${campaigns} WHERE campaigns.path = sale_report.source;
  DELETE FROM counter WHERE source IN ${campaign};
  DELETE FROM button_counter WHERE source IN ${campaign};
  DELETE FROM source WHERE parent IS NOT NULL`;

const figuresOf = (owner: TestOwner) =>
  owner.inside(async ({ analytics, sales }) => {
    // The site does so after each start.
    const { signal } = new AbortController();
    await sales.rebuild(signal);
    await analytics.countButtons(signal);
    const always = { from: 0, to: now + 1 };
    return {
      totals: await analytics.totals(always),
      sources: await analytics.sources(always),
      buttons: await analytics.buttons(always),
    };
  });

describe.each(engines)('$name', (engine) => {
  let rows: Map<string, StoredRow[]>;
  let figures: Awaited<ReturnType<typeof figuresOf>>;

  beforeAll(async () => {
    const owner = await createOwner(engine);
    await owner.admin(['demo', '--events', '300', '--days', '20']);
    await inDatabase(owner, ({ write }) => write(() => script(removeCampaigns)));
    const stdin = Readable.from([Buffer.from(sales)]);
    await owner.admin(['conversions', 'import', '-'], { stdin });
    await owner.inside(async ({ payments, auth }) => {
      await auth.setPasswordHash('hash', 1);
      for (const stripeEvent of [
        event('checkout.session.completed', session()),
        event('charge.refunded', charge({ amount_refunded: 1000 })),
      ]) {
        const payload = JSON.stringify(stripeEvent);
        await payments.receive({ event: eventOf(stripeEvent), payload, receivedAt: timeOf() });
      }
    });
    figures = await figuresOf(owner);
    const { conversions, callsBooked, refunded } = figures.totals;
    expect(Math.min(conversions, callsBooked, refunded)).toBeGreaterThan(0);
    rows = await inDatabase(owner, (database) =>
      database.read(function* () {
        return yield* rowsOf(yield* tablesOf());
      }),
    );
    await owner.remove();
  });

  const versions = migrations[engine.name === 'SQLite' ? 'sqlite' : 'postgres']
    .map(({ version }) => version)
    .filter((version) => version >= oldestVersion);

  it.each(versions)(
    'upgrade keeps rows and figures of a database of schema %i',
    async (version) => {
      const owner = await emptyOwner(engine);
      try {
        const tables = await inDatabase(owner, async (database) => {
          await migrate(database, version);
          const found = await database.read(tablesOf);
          await database.write(() => insertRows(found, rows));
          return found;
        });
        const before = await inDatabase(owner, ({ read }) => read(() => rowsOf(tables)));

        expect(await figuresOf(owner)).toEqual(figures);
        expect(await owner.admin(['verify'])).toMatchObject({ code: 0, err: '' });
        expect(await inDatabase(owner, ({ read }) => read(() => rowsOf(tables)))).toEqual(before);
      } finally {
        await owner.remove();
      }
    },
  );

  it('status reports the last call of a database of schema 20, and a late delivery changes no time', async () => {
    const owner = await emptyOwner(engine);
    try {
      await inDatabase(owner, async (database) => {
        await migrate(database, 20);
        const insert = `INSERT INTO external_call (id, state, booked_at, starts_at)
          VALUES ('cal:a', 'booked', ?, ?), ('cal:b', 'moved', NULL, ?)`;
        await database.write(() => run(insert, [now - 2, now + 2, now]));
      });
      const env = { CAL_WEBHOOK_SECRET: '0123456789abcdef' };
      expect((await owner.admin(['status'], { env })).out).toContain(
        '✓ Cal.com reported its last call',
      );
      const call = { id: 'cal:a', source: null, control: null, movedFrom: null } as const;
      const late = { ...call, state: 'booked', bookedAt: now - 3, start: now + 1 } as const;
      await owner.inside(({ elsewhere }) =>
        elsewhere.record([{ ...late, reportedAt: now - 3 }], { now, isCounted: true }),
      );
      const starts = handTyped<{ at: number }>(
        `SELECT starts_at AS at FROM external_call WHERE id = 'cal:a'`,
      );
      expect(await inDatabase(owner, ({ read }) => read(() => all(starts)))).toEqual([
        { at: now + 2 },
      ]);
    } finally {
      await owner.remove();
    }
  });
});
