/** Whether the data of a database are made up. Such a site sends nothing and calls no other server. */
import { columns } from './columns.ts';
import { type Database, get, run } from './database.ts';
import { sql } from './sql.ts';

const selectMark = sql`SELECT ${columns('demo_data', 'id')} FROM demo_data`;

export const isDemo = async (database: Database): Promise<boolean> =>
  (await database.read(() => get(selectMark))) !== undefined;

/** Marks the database for good, before the first made-up row. */
export const markAsDemo = (database: Database): Promise<unknown> =>
  database.write(() => run('INSERT INTO demo_data (id) VALUES (1) ON CONFLICT DO NOTHING'));
