/** A later migration of a database with data, and what programs of the schema before it do. */
import { describe, expect, it } from 'vitest';
import { emptyFields } from '../contract/contact-fields.ts';
import { engines, openDatabase } from '../testing/engines.ts';
import { handTyped } from './columns.ts';
import { all, type Database, run } from './database.ts';
import { migrate, migrateNew, migrations, schemaVersion } from './migrate.ts';
import { integer, type Migration } from './migrations/migration.ts';
import { sql } from './sql.ts';

const message = {
  ...{ ...emptyFields, id: 'a', receivedAt: 1 },
  ...{ name: 'Ada', email: 'ada@example.com', message: 'Hello' },
};
const known = migrations.map(({ version }) => version);

/** A migration that adds a column and fills it by code. */
const next = (alsoFor: number): Migration => ({
  version: schemaVersion + 1,
  alsoFor,
  sql: sql`ALTER TABLE contact_message ADD COLUMN stars ${integer} NOT NULL DEFAULT 0`,
  after: function* () {
    yield* run('UPDATE contact_message SET stars = length(message)');
  },
});
const compatible = [...migrations, next(schemaVersion)] as const;
const incompatible = [...migrations, next(schemaVersion + 1)] as const;

const versionsOf = async (database: Database) =>
  (
    await database.read(() =>
      all(handTyped<{ version: number }>('SELECT version FROM schema_version ORDER BY version')),
    )
  ).map(({ version }) => version);

it('each migration has the next version, and names the oldest one whose programs work with it', () => {
  for (const [i, { version, alsoFor }] of migrations.entries()) {
    expect(version).toBe(migrations[0].version + i);
    expect(alsoFor).toBeLessThanOrEqual(version);
    expect(alsoFor).toBeGreaterThanOrEqual(migrations[0].version);
  }
});

describe.each(engines)('on $name', (engine) => {
  /** Runs `work` on a database of the current schema with a message in it. */
  async function withMessage(
    work: (database: Database, open: () => Promise<number>) => Promise<void>,
  ) {
    const testDatabase = await engine.create();
    const countMessages = async () => {
      const stores = await testDatabase.open();
      return stores.contact.count().finally(stores.close);
    };
    const stores = await testDatabase.open();
    await stores.contact.add(message);
    await stores.close();
    const database = await openDatabase(testDatabase);
    try {
      await work(database, countMessages);
    } finally {
      await database.close();
      await testDatabase.remove();
    }
  }

  it('a later migration keeps the rows and runs once', () =>
    withMessage(async (database) => {
      await Promise.all([migrate(database, compatible), migrate(database, compatible)]);
      const rows = await database.read(() =>
        all(handTyped<{ id: string; stars: number }>('SELECT id, stars FROM contact_message')),
      );
      expect(rows).toEqual([{ id: 'a', stars: 5 }]);
      expect(await versionsOf(database)).toEqual([...known, schemaVersion + 1]);
    }));

  it('a migration that fails changes nothing', () =>
    withMessage(async (database, countMessages) => {
      const failing = {
        ...next(schemaVersion),
        after: function* () {
          yield* run('DELETE FROM contact_message');
          throw new Error('of the test');
        },
      };
      await expect(migrate(database, [...migrations, failing])).rejects.toThrow('of the test');
      expect(await versionsOf(database)).toEqual(known);
      expect(await countMessages()).toBe(1);
    }));

  it('a program of the schema before is refused after an incompatible migration', () =>
    withMessage(async (database, countMessages) => {
      await migrate(database, incompatible);
      await expect(countMessages()).rejects.toMatchObject({ code: 'NEWER_DATABASE' });
      await expect(countMessages()).rejects.toThrow('newer version of Shingle');
    }));

  it('a program of the schema before works after a compatible migration only where several share the database', () =>
    withMessage(async (database, countMessages) => {
      await migrate(database, compatible);
      await (engine.name === 'PostgreSQL'
        ? expect(countMessages()).resolves.toBe(1)
        : expect(countMessages()).rejects.toMatchObject({ code: 'NEWER_DATABASE' }));
    }));

  it('a program that must not update a database refuses that of the schema before', () =>
    withMessage(async (database, countMessages) => {
      await expect(migrateNew(database, compatible)).rejects.toMatchObject({
        code: 'OTHER_SCHEMA',
        message: expect.stringContaining('restart the site with this version'),
      });
      expect(await versionsOf(database)).toEqual(known);
      expect(await countMessages()).toBe(1);
    }));
});
