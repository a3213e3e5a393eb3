/** Carries a site's rows from one open database to another, page after page, in memory that does not grow. */
import { createHash } from 'node:crypto';
import {
  all,
  type Database,
  get,
  type Reader,
  run,
  type Statements,
  script,
} from '../../database/database.ts';
import { hexOf, joined, jsonRows, type Sql, sql } from '../../database/sql.ts';
import { type Table, tables } from './tables.ts';

/** Rows a page. A write shall take far less time than a server grants it. */
const length = 10_000;
const lengthOfWide = 200;

/** What a table holds: so many rows, and a digest of all of them in the order of their key. */
export interface Content {
  table: string;
  rows: number;
  digest: string;
}

type Cell = string | number | null;
type Row = Record<string, Cell>;

/**
 * Fills `target`, which has the schema and no rows, with what `source` holds. Returns what was read.
 */
export async function copyRows(source: Reader, target: Database): Promise<Content[]> {
  const contents: Content[] = [];
  for (const table of tables) {
    const insertion = insertionOf(table);
    contents.push(
      await readThrough(source, table, (page) => target.write(() => run(insertion, [page]))),
    );
    if (table.isNumbered) await target.write(() => numberOn(table));
  }
  return contents;
}

/** What a database holds. */
export async function contentsOf(database: Reader): Promise<Content[]> {
  const contents: Content[] = [];
  for (const table of tables) contents.push(await readThrough(database, table, async () => {}));
  return contents;
}

/** Empties every table. */
export function* empty(): Statements<void> {
  const names = tables.map(({ name }) => name);
  yield* script({
    sqlite: names.map((name) => `DELETE FROM ${name};`).join('\n'),
    // A server's time limit is for one statement: this takes as long for a row as for millions.
    postgres: `TRUNCATE ${names.join(', ')}`,
  });
}

/** Reads a table and hands each page, as JSON, to `take`, while the next is being read. */
async function readThrough(
  { read }: Reader,
  table: Table,
  take: (page: string) => Promise<unknown>,
): Promise<Content> {
  const hash = createHash('sha256');
  const names = Object.keys(table.columns);
  let rows = 0;
  let page = await read(() => all<Row>(pageOf(table)));
  for (let last = page.at(-1); last; last = page.at(-1)) {
    const after = table.key.map((column) => last?.[column] ?? null);
    const text = JSON.stringify(page.map((row) => names.map((name) => row[name])));
    hash.update(text);
    rows += page.length;
    [page] = await Promise.all([
      read(() => all<Row>(pageOf(table, { isNext: true }), after)),
      take(text),
    ]);
  }
  return { table: table.name, rows, digest: hash.digest('hex') };
}

/** Statement of a page of rows along the key; `isNext`: after the row whose key is given. */
function pageOf({ name, columns, key, sums, isWide }: Table, { isNext = false } = {}): Sql {
  const read = (column: string): Sql => {
    if (columns[column] === 'hex') return sql`${hexOf(column)} AS ${column}`;
    if (!sums?.includes(column)) return sql`${name}.${column}`;
    return sql`${{ sqlite: column, postgres: `CAST(sum(${column}) AS bigint) AS ${column}` }}`;
  };
  const mark = (column: string): Sql =>
    columns[column] === 'hex' ? { sqlite: 'unhex(?)', postgres: "decode(?, 'hex')" } : sql`?`;
  const columnsOfKey = key.map((column) => `${name}.${column}`).join(', ');
  const where = isNext ? sql`WHERE (${columnsOfKey}) > (${joined(key.map(mark), ', ')})` : '';
  const group = sums ? { sqlite: '', postgres: `GROUP BY ${columnsOfKey}` } : '';
  return sql`SELECT ${joined(Object.keys(columns).map(read), ', ')} FROM ${name} ${where} ${group}
    ORDER BY ${columnsOfKey} LIMIT ${isWide ? lengthOfWide : length}`;
}

function insertionOf({ name, columns, sums }: Table): Sql {
  const names = Object.keys(columns).join(', ');
  const plain = sql`INSERT INTO ${name} (${names}) SELECT ${names} FROM ${jsonRows(columns)} AS page`;
  if (!sums) return plain;
  // The slot of all who write one after the other.
  const postgres = `INSERT INTO ${name} (${names}, slot) SELECT ${names}, 0
    FROM ${jsonRows(columns).postgres} AS page`;
  return { sqlite: plain.sqlite, postgres };
}

/** The next row gets the next number; the embedded engine knows it from the rows. */
function* numberOn({ name }: Table): Statements<void> {
  const row = yield* get<{ next: number }>(`SELECT coalesce(max(id), 0) + 1 AS next FROM ${name}`);
  yield* script({
    sqlite: '',
    postgres: `ALTER TABLE ${name} ALTER COLUMN id RESTART WITH ${row?.next ?? 1}`,
  });
}
