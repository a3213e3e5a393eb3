/**
 * What the stores say to their database: SQL that both engines understand, and the few phrases in which
 * they differ. A piece of it is told apart by engine once, when the module is loaded.
 */

/** The same words for each engine. */
export interface Sql {
  sqlite: string;
  postgres: string;
}

/** Joins phrases that may differ by engine to a statement. Each `?` takes a value. */
export function sql(strings: TemplateStringsArray, ...phrases: (string | number | Sql)[]): Sql {
  const join = (engine: keyof Sql) =>
    String.raw(
      { raw: strings },
      ...phrases.map((phrase) => (typeof phrase === 'object' ? phrase[engine] : phrase)),
    );
  return { sqlite: join('sqlite'), postgres: join('postgres') };
}

/** Several phrases with `between` between them. */
export const joined = (phrases: readonly (string | Sql)[], between: string): Sql =>
  phrases.map((phrase) => sql`${phrase}`).reduce((all, one) => sql`${all}${between}${one}`);

export type ColumnType = 'integer' | 'text' | 'hex';

/**
 * Rows as a table, given as one value: JSON, an array of rows, each an array of its columns in this
 * order. The driver's price is by the call, so many rows are one call. Bytes are given in hex digits.
 */
export function jsonRows(columns: Record<string, ColumnType>): Sql {
  const named = Object.entries(columns);
  return {
    sqlite: `(SELECT ${named.map(([name, type], i) => `${fromJson.sqlite(`value ->> ${i}`, type)} AS ${name}`).join(', ')}
      FROM json_each(?))`,
    postgres: `(SELECT ${named.map(([name, type], i) => `${fromJson.postgres(`value ->> ${i}`, type)} AS ${name}`).join(', ')}
      FROM json_array_elements(CAST(? AS json)) AS element (value))`,
  };
}

const fromJson = {
  sqlite: (text: string, type: ColumnType) => (type === 'hex' ? `unhex(${text})` : text),
  postgres: (text: string, type: ColumnType) =>
    ({ integer: `CAST(${text} AS bigint)`, text, hex: `decode(${text}, 'hex')` })[type],
};

/** Bytes in lower-case hex digits. */
export const hexOf = (column: string): Sql => ({
  sqlite: `lower(hex(${column}))`,
  postgres: `encode(${column}, 'hex')`,
});

/** Whether it is this text; A to Z are the same as a to z. */
export const sameLetters = (text: string | Sql): Sql => ({
  sqlite: sql`${text} = ? COLLATE NOCASE`.sqlite,
  postgres: sql`lower(${text} COLLATE "C") = lower(CAST(? AS text) COLLATE "C")`.postgres,
});

/**
 * Whether a column is like this pattern, A to Z in either case and other letters as the engine has them; a
 * backslash takes signs for themselves.
 */
export const isLike = (column: string): Sql => ({
  sqlite: `${column} LIKE ? ESCAPE '\\'`,
  postgres: `${column} ILIKE ? ESCAPE '\\'`,
});

/** The text at the end of this path in a JSON text. */
export const jsonText = (column: string, ...path: string[]): Sql => ({
  sqlite: `json_extract(${column}, '$.${path.join('.')}')`,
  postgres: `(CAST(${column} AS json) #>> '{${path.join(',')}}')`,
});

/** JSON array of what follows it in parentheses. */
export const jsonArray: Sql = { sqlite: 'json_array', postgres: 'json_build_array' };
