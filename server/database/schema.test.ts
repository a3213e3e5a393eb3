import { expect, it } from 'vitest';
import { engines, openDatabase, postgres } from '../testing/engines.ts';
import { handTyped } from './columns.ts';
import { all } from './database.ts';
import { onPostgresOnly, schema } from './schema.ts';

/** Every column as 'table.column type', with ' or null' where null is allowed. */
const storedColumns = handTyped<{ line: string }>({
  // SQLite reports the columns of a primary key as nullable.
  sqlite: `SELECT t.name || '.' || c.name || ' ' || lower(c.type)
      || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN '' ELSE ' or null' END AS line
    FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  postgres: `SELECT table_name || '.' || column_name || ' '
      || CASE data_type WHEN 'bigint' THEN 'integer' WHEN 'bytea' THEN 'blob' ELSE data_type END
      || CASE is_nullable WHEN 'NO' THEN '' ELSE ' or null' END AS line
    FROM information_schema.columns WHERE table_schema = current_schema()`,
});

it.each(engines)('schema declares every table and column of $name', async (engine) => {
  const testDatabase = await engine.create();
  const database = await openDatabase(testDatabase);
  try {
    const stored = await database.read(() => all(storedColumns));
    const isStored = (name: string) =>
      database.engine === 'postgres' || !onPostgresOnly.includes(name);
    const declared = Object.entries(schema).flatMap(([table, columns]) =>
      Object.entries(columns)
        .filter(([column]) => isStored(table) && isStored(`${table}.${column}`))
        .map(
          ([column, { type, isNullable }]) =>
            `${table}.${column} ${type}${isNullable ? ' or null' : ''}`,
        ),
    );
    expect(stored.map(({ line }) => line).sort()).toEqual(declared.sort());
  } finally {
    await database.close();
    await testDatabase.remove();
  }
});

it('every text column of PostgreSQL compares bytewise, like those of SQLite', async () => {
  const testDatabase = await postgres.create();
  const database = await openDatabase(testDatabase);
  try {
    const others = await database.read(() => all(textOfOtherOrder));
    expect(others).toEqual([]);
  } finally {
    await database.close();
    await testDatabase.remove();
  }
});

const textOfOtherOrder = handTyped<{ column: string }>(
  `SELECT table_name || '.' || column_name AS column FROM information_schema.columns
   WHERE table_schema = current_schema() AND data_type NOT IN ('bigint', 'bytea', 'integer')
     AND (data_type <> 'text' OR collation_name IS DISTINCT FROM 'C')`,
);
