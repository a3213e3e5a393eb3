/** Ids of traffic sources in the database. */
import { emailName, sourceText } from '../../attribution/source-name.ts';
import { columns, computed, count } from '../../database/columns.ts';
import { all, get, run, type Statements } from '../../database/database.ts';
import { text } from '../../database/schema.ts';
import { jsonRows, sql } from '../../database/sql.ts';

/** Id of direct visits. */
export const direct = 1;
/** Id for names beyond the limits below. */
const other = 2;

/**
 * Maximum new names from visitors, per day and in total; concurrent instances may each add as many. Anyone
 * can put any name into a URL, so without limits the table could be flooded.
 */
const maxNamesPerDay = 100;
const maxNames = 5000;

/** Names from the owner's checkout or files are trusted and not limited. */
export const trusted = 0;

/** Ids of sources by name. Committed ids never change. */
export type SourceIds = Map<string, number>;

/**
 * Returns the ids of these sources and inserts new ones; a name beyond the limits gets no id. New ids are
 * valid only once the transaction commits.
 *
 * @param day number of the UTC day since 1970 whose limit applies, or `trusted`
 */
export function* sourceIds(
  names: Iterable<string | null>,
  { day }: { day: number },
): Statements<SourceIds> {
  const ids: SourceIds = new Map();
  const wanted = missingFrom(ids, names);
  const lookUp = function* (): Statements<void> {
    const rows = yield* all(selectSources, [JSON.stringify(wanted.map((name) => [name]))]);
    for (const { id, name } of rows) if (name !== null) ids.set(name, id);
  };
  if (wanted.length > 0) yield* lookUp();
  const fresh = missingFrom(ids, wanted);
  if (fresh.length > 0) {
    const quota = day === trusted ? fresh.length : yield* remainingQuota(day);
    // Sorted, so that concurrent inserts of the same names cannot deadlock.
    const added = fresh.slice(0, quota).sort();
    yield* run(insertSources, [day, JSON.stringify(added.map((name) => [name]))]);
    yield* lookUp();
  }
  return ids;
}

/** The id under which a source counts, after `sourceIds` has looked it up. */
export const idIn = (ids: SourceIds, name: string | null) =>
  name === null ? direct : (ids.get(name) ?? other);

/** The new name of a source that named a person. Names from visits have no spaces, so it is unique. */
export const retiredName = (id: number) => `${emailName} ${id}`;

/** Returns `email` for a retired name or one with an email address, otherwise the name itself. */
export const currentName = (name: string) =>
  /^email \d+$/.test(name) ? emailName : sourceText(name);

const missingFrom = (ids: SourceIds, names: Iterable<string | null>) =>
  [...new Set(names)].filter((name) => name !== null).filter((name) => !ids.has(name));

const names = jsonRows({ name: text });
const insertSources = sql`INSERT INTO source (name, first_day)
  SELECT name, CAST(? AS bigint) FROM ${names} AS added WHERE true ON CONFLICT DO NOTHING`;
const selectSources = sql`SELECT ${columns('source', 'id', 'name')}
  FROM source WHERE name IN (SELECT name FROM ${names} AS wanted)`;
const countNames = sql`SELECT ${columns('source', {
  total: count,
  today: computed<number>('count(*) FILTER (WHERE first_day = ?)'),
})} FROM source WHERE first_day <> ${trusted}`;

function* remainingQuota(day: number): Statements<number> {
  const { today, total } = (yield* get(countNames, [day])) ?? { today: 0, total: 0 };
  return Math.max(0, Math.min(maxNamesPerDay - today, maxNames - total));
}
