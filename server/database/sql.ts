/**
 * SQL that runs on both engines, and helpers for the few expressions in which SQLite and PostgreSQL
 * differ. Each statement is built once for each engine, when its module loads.
 */

import { type Column, type Row, schema, type Table } from './schema.ts';

/** One piece of SQL in the dialect of each engine. */
export interface Sql {
  sqlite: string;
  postgres: string;
}

/** A statement that returns rows of this type. Only TypeScript knows `rows`. */
export interface Query<Row> extends Sql {
  rows: Row;
}

/** Result columns of a statement (see `columns.ts`). Only TypeScript knows `selects`. */
export interface Columns<Row> extends Sql {
  selects: Row;
}

type RowOf<Parts, Rows = unknown> = Parts extends [infer First, ...infer Rest]
  ? RowOf<Rest, Rows & (First extends Columns<infer Row> ? Row : unknown)>
  : Rows;

/**
 * Builds a statement from parts that may differ by engine. Each `?` is a parameter. Its rows have the
 * columns among the parts.
 */
export function sql<Parts extends (string | number | Sql)[]>(
  strings: TemplateStringsArray,
  ...parts: Parts
): Query<RowOf<Parts>> {
  const join = (engine: keyof Sql) =>
    String.raw(
      { raw: strings },
      ...parts.map((part) => (typeof part === 'object' ? part[engine] : part)),
    );
  return { sqlite: join('sqlite'), postgres: join('postgres') } as Query<RowOf<Parts>>;
}

/** Joins one or more parts with `separator`. Throws a TypeError when there are no parts. */
export const joined = (parts: readonly (string | Sql)[], separator: string): Sql =>
  parts.map((part): Sql => sql`${part}`).reduce((all, one) => sql`${all}${separator}${one}`);

/**
 * A table expression over one JSON parameter: an array of rows, each an array of its columns in this
 * order, with bytes as hex digits. Drivers cost time per call, so many rows go in one call.
 */
export function jsonRows(columns: Record<string, Column>): Sql {
  const named = Object.entries(columns);
  return {
    sqlite: `(SELECT ${named.map(([name, { type }], i) => `${fromJson.sqlite(`value ->> ${i}`, type)} AS ${name}`).join(', ')}
      FROM json_each(?))`,
    postgres: `(SELECT ${named.map(([name, { type }], i) => `${fromJson.postgres(`value ->> ${i}`, type)} AS ${name}`).join(', ')}
      FROM json_array_elements(CAST(? AS json)) AS element (value))`,
  };
}

const fromJson = {
  sqlite: (text: string, type: Column['type']) => (type === 'blob' ? `unhex(${text})` : text),
  postgres: (text: string, type: Column['type']) =>
    ({ integer: `CAST(${text} AS bigint)`, text, blob: `decode(${text}, 'hex')` })[type],
};

/** Inserts rows of a table, given as `jsonOf` returns them. A clause for conflicts may follow. */
export function insertInto(table: Table): Sql {
  const names = Object.keys(schema[table]).join(', ');
  return sql`INSERT INTO ${table} (${names})
    SELECT ${names} FROM ${jsonRows(schema[table])} AS added WHERE true`;
}

/** Rows of a table as the parameter of `insertInto`. */
export const jsonOf = <T extends Table>(table: T, rows: readonly Row<T>[]): string =>
  JSON.stringify(
    rows.map((row) => Object.keys(schema[table]).map((name) => row[name as keyof Row<T>])),
  );

/** Selects a column of bytes as lower-case hex digits. */
export const hexOf = (column: string): Sql => ({
  sqlite: `lower(hex(${column}))`,
  postgres: `encode(${column}, 'hex')`,
});

/** Compares text with a parameter, case-insensitively for ASCII letters only. */
export const equalsIgnoringCase = (text: string | Sql): Sql => ({
  sqlite: sql`${text} = ? COLLATE NOCASE`.sqlite,
  postgres: sql`lower(${text} COLLATE "C") = lower(CAST(? AS text) COLLATE "C")`.postgres,
});

/** Condition: the id of a sale, or the name of its buyer, may hold an email address. */
export const mayHoldAddress = `(id LIKE '%@%' OR email LIKE '%<%')`;

/**
 * Matches a column against a LIKE pattern, with the backslash as escape character. ASCII letters are
 * case-insensitive on both engines; other letters follow the engine.
 */
export const isLike = (column: string): Sql => ({
  sqlite: `${column} LIKE ? ESCAPE '\\'`,
  postgres: `${column} COLLATE "default" ILIKE ? ESCAPE '\\'`,
});

/** Selects the value at this path of a JSON text, as text. */
export const jsonText = (column: string, ...path: string[]): Sql => ({
  sqlite: `json_extract(${column}, '$.${path.join('.')}')`,
  postgres: `(CAST(${column} AS json) #>> '{${path.join(',')}}')`,
});
