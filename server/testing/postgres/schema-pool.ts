/**
 * For tests: a pool of migrated schemas on one PostgreSQL server. Creating and dropping a schema takes
 * some 140 ms of CPU, resetting one 5 ms.
 */
import { Client } from 'pg';
import { openStores } from '../../stores/stores.ts';
import { type FreshDatabase, schemaOn } from './server.ts';

export interface SchemaPool {
  /** Resolves with the URL of a migrated, empty schema. */
  acquire(): Promise<string>;
  /** Resets the schema for the next test, or drops it when the test changed more than rows. */
  release(url: string): Promise<void>;
  close(): Promise<void>;
}

interface Schema extends FreshDatabase {
  name: string;
  /** Identifies its tables, columns, triggers and functions. */
  fingerprint: string;
  /** SQL that restores the rows and sequences of a new schema. */
  reset: string;
}

/** Creates a pool without schemas on the server. */
export function createSchemaPool(server: { url: string }): SchemaPool {
  const schemas = new Map<string, Schema>();
  const free: Schema[] = [];
  let connected: Promise<Client> | undefined;
  const query = async <Row>(text: string): Promise<Row[]> => {
    connected ??= connect(server.url);
    return (await (await connected).query(text)).rows;
  };

  const create = async (): Promise<Schema> => {
    const created = await schemaOn(server);
    await (await openStores({ DATABASE_URL: created.url, DATA_DIR: '' })).close();
    const name = /search_path=(\w+)/.exec(decodeURIComponent(created.url))?.[1] ?? '';
    const schema = { ...created, name, fingerprint: '', reset: await resetOf(name, query) };
    schema.fingerprint = (await stateOf(schema)).fingerprint;
    schemas.set(schema.url, schema);
    return schema;
  };
  const stateOf = async ({ name }: { name: string }) => {
    const [state] = await query<{ fingerprint: string; bytes: number }>(stateIn(name));
    return state ?? { fingerprint: '', bytes: 0 };
  };
  const discard = async (schema: Schema) => {
    schemas.delete(schema.url);
    await schema.drop();
  };
  return {
    acquire: async () => (free.pop() ?? (await create())).url,
    async release(url) {
      const schema = schemas.get(url);
      if (!schema) throw new Error('The schema does not belong to this pool.');
      const { fingerprint, bytes } = await stateOf(schema);
      // Deleted rows stay in the file until the next vacuum, and slow down the scans of later tests.
      if (fingerprint !== schema.fingerprint || bytes > 2 ** 21) return discard(schema);
      await query(schema.reset);
      free.push(schema);
    },
    async close() {
      for (const schema of schemas.values()) await discard(schema);
      await (await connected)?.end();
    },
  };
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** A change of a table, column, trigger or function gives its row in the catalog a new xmin. */
const stateIn = (schema: string) => `
  WITH mine AS (SELECT oid, xmin, relkind FROM pg_class WHERE relnamespace = '${schema}'::regnamespace),
  entries AS (
    SELECT oid::text || ' ' || xmin AS entry FROM mine
    UNION ALL
    SELECT attrelid || '.' || attnum || ' ' || xmin FROM pg_attribute
    WHERE attrelid IN (SELECT oid FROM mine)
    UNION ALL
    SELECT oid || ' ' || xmin FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM mine)
    UNION ALL
    SELECT oid || ' ' || xmin FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace
  )
  SELECT md5((SELECT string_agg(entry, ',' ORDER BY entry) FROM entries)) AS fingerprint,
    (SELECT sum(pg_table_size(oid)) FROM mine WHERE relkind = 'r')::int AS bytes`;

async function resetOf(
  schema: string,
  query: <Row>(text: string) => Promise<Row[]>,
): Promise<string> {
  const relations = await query<{ relname: string; relkind: string }>(
    `SELECT relname, relkind FROM pg_class
     WHERE relnamespace = '${schema}'::regnamespace AND relkind IN ('r', 'S') ORDER BY relname`,
  );
  const of = (kind: string) =>
    relations
      .filter(({ relkind }) => relkind === kind)
      .map(({ relname }) => `${schema}.${relname}`);
  const statements: string[] = [];
  for (const table of of('r')) {
    const [row] = await query<{ rows: string | null }>(
      `SELECT json_agg(rows)::text AS rows FROM ${table} AS rows`,
    );
    statements.push(`DELETE FROM ${table}`);
    if (row?.rows) {
      statements.push(
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $rows$${row.rows}$rows$)`,
      );
    }
  }
  for (const sequence of of('S')) {
    const [row] = await query<{ last_value: string; is_called: boolean }>(
      `SELECT last_value, is_called FROM ${sequence}`,
    );
    statements.push(`SELECT setval('${sequence}', ${row?.last_value}, ${row?.is_called})`);
  }
  // One query text is one transaction. The lock waits for a transaction that a killed process left open.
  return [`LOCK TABLE ${of('r').join(', ')} IN EXCLUSIVE MODE`, ...statements].join(';\n');
}
