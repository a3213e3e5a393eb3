import { afterEach, expect, it } from 'vitest';
import { all, type Database } from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { openPostgres } from '../../database/postgres/postgres.ts';
import type { Sql } from '../../database/sql.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { freshSchema } from '../../testing/engines.ts';
import { ownTables, type Table, tables } from './tables.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const engines = {
  SQLite: async () => openSqlite(':memory:', { asIs: true }),
  async PostgreSQL() {
    const { url, remove } = await freshSchema();
    cleanUps.push(remove);
    return openPostgres(url);
  },
};

interface Column {
  table: string;
  name: string;
  type: string;
  /** Position in the primary key; 0: not part of it. */
  place: number;
}

const found: Sql = {
  sqlite: `SELECT t.name AS "table", c.name AS name, lower(c.type) AS type, c.pk AS place
    FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  postgres: `SELECT c.table_name AS "table", c.column_name AS name, c.data_type AS type,
      coalesce(k.ordinal_position, 0) AS place
    FROM information_schema.columns AS c
    LEFT JOIN information_schema.key_column_usage AS k
      ON k.table_schema = c.table_schema AND k.table_name = c.table_name
        AND k.column_name = c.column_name AND k.position_in_unique_constraint IS NULL
        AND k.constraint_name = c.table_name || '_pkey'
    WHERE c.table_schema = current_schema()`,
};

const typeNames: Record<string, string> = {
  integer: 'integer',
  bigint: 'integer',
  text: 'text',
  blob: 'hex',
  bytea: 'hex',
};

const columnsIn = (database: Database) => database.read(() => all<Column>(found));

it.each(Object.entries(engines))(
  'transfer tables list every table and column of %s',
  async (_, open) => {
    const database = await open();
    cleanUps.unshift(() => database.close());
    await migrate(database);
    const schema = new Map<string, Pick<Table, 'columns' | 'key'>>();
    const columns = (await columnsIn(database)).filter(({ table }) => !ownTables.includes(table));
    for (const { table, name, type, place } of columns) {
      // A transfer sums the slots of all instances, so it does not copy this column.
      if (name === 'slot') continue;
      const known = schema.get(table) ?? { columns: {}, key: [] };
      Object.assign(known.columns, { [name]: typeNames[type] ?? type });
      if (place > 0) known.key[place - 1] = name;
      schema.set(table, known);
    }
    expect(Object.fromEntries(schema)).toEqual(
      Object.fromEntries(tables.map(({ name, columns, key }) => [name, { columns, key }])),
    );
  },
);
