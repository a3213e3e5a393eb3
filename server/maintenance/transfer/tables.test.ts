import { expect, it } from 'vitest';
import { handTyped } from '../../database/columns.ts';
import { all } from '../../database/database.ts';
import { engines, openDatabase } from '../../testing/engines.ts';
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
