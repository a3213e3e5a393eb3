/** Describes the columns of a result once, for its SQL text and for the type of its rows. */
import type { Row, Table } from './schema.ts';
import { type Columns, joined, type Query, type Sql, sql } from './sql.ts';

type Name<T extends Table> = keyof Row<T> & string;

/** A column by its name; or columns and expressions by their names in the result. */
type Item<T extends Table> = Name<T> | Record<string, Name<T> | Computed<unknown, Name<T>>>;

/** The part of a row that comes from an item. */
type Part<T extends Table, I> =
  I extends Name<T>
    ? Pick<Row<T>, I>
    : {
        [Result in keyof I]: I[Result] extends Computed<infer Value, string>
          ? Value
          : I[Result] extends Name<T>
            ? Row<T>[I[Result]]
            : never;
      };

type Parts<T extends Table, Items> = Items extends [infer First, ...infer Rest]
  ? Part<T, First> & Parts<T, Rest>
  : unknown;

/**
 * The columns of SELECT or RETURNING. Written into an `sql` template, they give its rows their type:
 * `columns('outbox', 'id', { queuedAt: 'queued_at', attempts: max('attempts') })`.
 */
export function columns<T extends Table, Items extends Item<T>[]>(
  table: T,
  ...items: Items
): Columns<Parts<T, Items>> {
  const texts = items
    .flatMap((item) => Object.entries(typeof item === 'string' ? { [item]: item } : item))
    .map(([name, value]) =>
      typeof value === 'string' ? `${table}.${value} AS "${name}"` : sql`${value.sql} AS "${name}"`,
    );
  // Only TypeScript knows the type of the rows.
  return joined(texts, ', ') as Columns<Parts<T, Items>>;
}

/** An expression of SQL with its type. It may depend on the columns `Reads` of its table. */
interface Computed<Value, Reads extends string = never> {
  sql: string | Sql;
  value?: Value;
  reads?: Reads;
}

/** An expression whose type is stated by hand, because no schema declares it. */
export const computed = <Value, Reads extends string = never>(
  expression: string | number | Sql,
): Computed<Value, Reads> => ({ sql: sql`${expression}` });

export const count = computed<number>('count(*)');

/** The largest value of a column of integers; null without rows. */
export const max = <Name extends string>(column: Name): Computed<number | null, Name> => ({
  sql: `max(${column})`,
});

/** The smallest value of a column of integers; null without rows. */
export const min = <Name extends string>(column: Name): Computed<number | null, Name> => ({
  sql: `min(${column})`,
});

/** Joins statements with rows of the same type. `rest` may order and limit them. */
export const unionAll = <Row>(queries: readonly Query<Row>[], rest = '') =>
  sql`${joined(queries, ' UNION ALL ')} ${rest}` as Query<Row>;

/** A statement with rows typed by hand: of system tables and derived tables. */
export const handTyped = <Row>(statement: string | Sql) => sql`${statement}` as Query<Row>;
