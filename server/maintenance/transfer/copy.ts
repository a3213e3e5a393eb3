/** Copies the rows of a site from one open database to another, page by page, in constant memory. */
import { createHash } from 'node:crypto';
import { handTyped } from '../../database/columns.ts';
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
import { type CopiedTable, tables } from './tables.ts';

/** The number of rows in a table, and a digest of them in the order of the key. */
export interface Content {
  table: string;
  rows: number;
  digest: string;
}

type Cell = string | number | null;
type Row = Record<string, Cell>;

/** Copies all rows of `source` to `target`, whose tables are empty; returns what it read. */
export async function copyRows(source: Reader, target: Database): Promise<Content[]> {
  const contents: Content[] = [];
  for (const table of tables) {
    const insertion = insertionOf(table);
    contents.push(
      await readPages(source, table, (page) => target.write(() => run(insertion, [page]))),
    );
    if (table.isNumbered) await target.write(() => advanceIdentity(table));
  }
  return contents;
}

/** Returns row counts and digests of all tables. */
export async function contentsOf(database: Reader): Promise<Content[]> {
  const contents: Content[] = [];
  for (const table of tables) contents.push(await readPages(database, table, async () => {}));
  return contents;
}

/** Deletes all rows of all tables. */
export function* empty(): Statements<void> {
  const names = tables.map(({ name }) => name);
  yield* script({
    sqlite: names.map((name) => `DELETE FROM ${name};`).join('\n'),
    // TRUNCATE takes constant time, so it cannot exceed the statement timeout.
    postgres: `TRUNCATE ${names.join(', ')}`,
  });
}

/** Reads a table, and passes each page as JSON to `consume` while it reads the next one. */
async function readPages(
  { read }: Reader,
  table: CopiedTable,
  consume: (page: string) => Promise<unknown>,
): Promise<Content> {
  const hash = createHash('sha256');
  const names = Object.keys(table.columns);
  let rows = 0;
  let page = await read(() => all(pageOf(table)));
  for (let last = page.at(-1); last; last = page.at(-1)) {
    const after = table.key.map((column) => last?.[column] ?? null);
    const text = JSON.stringify(page.map((row) => names.map((name) => row[name])));
    hash.update(text);
    rows += page.length;
    [page] = await Promise.all([
      read(() => all(pageOf(table, { isNext: true }), after)),
      consume(text),
    ]);
  }
  return { table: table.name, rows, digest: hash.digest('hex') };
}

/** Selects a page of rows in the order of the key; with `isNext`, after the key in the parameters. */
function pageOf({ name, columns, key, pageSize = 10_000 }: CopiedTable, { isNext = false } = {}) {
  const read = (column: string): Sql =>
    columns[column]?.type === 'blob'
      ? // SQLite's hex() of null is an empty text.
        sql`CASE WHEN ${column} IS NOT NULL THEN ${hexOf(column)} END AS ${column}`
      : sql`${name}.${column}`;
  const parameter = (column: string): Sql =>
    columns[column]?.type === 'blob'
      ? { sqlite: 'unhex(?)', postgres: "decode(?, 'hex')" }
      : sql`?`;
  const columnsOfKey = key.map((column) => `${name}.${column}`).join(', ');
  const where = isNext ? sql`WHERE (${columnsOfKey}) > (${joined(key.map(parameter), ', ')})` : '';
  return handTyped<Row>(
    sql`SELECT ${joined(Object.keys(columns).map(read), ', ')} FROM ${name} ${where}
    ORDER BY ${columnsOfKey} LIMIT ${pageSize}`,
  );
}

function insertionOf({ name, columns }: CopiedTable): Sql {
  const names = Object.keys(columns).join(', ');
  return sql`INSERT INTO ${name} (${names}) SELECT ${names} FROM ${jsonRows(columns)} AS page`;
}

/** Continues the numbering after the copied rows. SQLite takes the next number from the rows. */
function* advanceIdentity({ name }: CopiedTable): Statements<void> {
  const row = yield* get(
    handTyped<{ next: number }>(`SELECT coalesce(max(id), 0) + 1 AS next FROM ${name}`),
  );
  yield* script({
    sqlite: '',
    postgres: `ALTER TABLE ${name} ALTER COLUMN id RESTART WITH ${row?.next ?? 1}`,
  });
}
