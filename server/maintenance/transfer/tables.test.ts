import { expect, it } from 'vitest';
import { handTyped } from '../../database/columns.ts';
import { all, run } from '../../database/database.ts';
import { engines, openDatabase, postgres } from '../../testing/engines.ts';
import { copyRows, empty } from './copy.ts';
import { tables } from './tables.ts';

const primaryKeys = handTyped<{ table: string; column: string }>({
  sqlite: `SELECT t.name AS "table", c.name AS "column"
    FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND c.pk > 0 ORDER BY t.name, c.pk`,
  postgres: `SELECT table_name AS "table", column_name AS "column"
    FROM information_schema.key_column_usage
    WHERE table_schema = current_schema() AND constraint_name = table_name || '_pkey'
    ORDER BY table_name, ordinal_position`,
});

it.each(engines)('transfer tables have the primary keys of $name', async (engine) => {
  const testDatabase = await engine.create();
  const database = await openDatabase(testDatabase);
  try {
    const keys: Record<string, string[]> = {};
    for (const { table, column } of await database.read(() => all(primaryKeys))) {
      keys[table] = [...(keys[table] ?? []), column];
    }
    expect(keys).toMatchObject(Object.fromEntries(tables.map(({ name, key }) => [name, key])));
  } finally {
    await database.close();
    await testDatabase.remove();
  }
});

it.each(engines)(
  'a cleared connection stays cleared when it is copied from $name',
  async (engine) => {
    const [from, to] = [await engine.create(), await postgres.create()];
    const [source, target] = [await openDatabase(from), await openDatabase(to)];
    try {
      await source.write(() =>
        run(
          "INSERT INTO connection (name, revision, value, changed_at) VALUES ('email', 2, NULL, 0)",
        ),
      );
      await target.write(empty);
      await copyRows(source, target);
      const stored = handTyped<{ value: Buffer | null }>('SELECT value FROM connection');
      expect(await target.read(() => all(stored))).toEqual([{ value: null }]);
    } finally {
      await Promise.all([source.close(), target.close()]);
      await Promise.all([from.remove(), to.remove()]);
    }
  },
);
