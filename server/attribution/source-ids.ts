/** Ids of traffic sources in the database. */

import { columns, computed, count } from '../database/columns.ts';
import { all, get, run, type Statements } from '../database/database.ts';
import { schema, text } from '../database/schema.ts';
import { jsonRows, sql } from '../database/sql.ts';
import { sourceIn } from './source-name.ts';

/** Id of direct visits. */
export const direct = 1;
/** Id for names beyond the limits below. */
const other = 2;

/**
 * Maximum new names from visitors, per day and in total, of sources and again of campaigns; concurrent
 * instances may each add as many. Anyone can put any name into a URL, so without limits the table could be
 * flooded.
 */
const maxNamesPerDay = 100;
const maxNames = 5000;

/** Names from the owner's checkout or files are trusted and not limited. */
export const trusted = 0;

/** Ids of sources by name and of campaigns by path. Committed ids never change. */
export type SourceIds = Map<string, number>;

/**
 * Returns the ids of the sources and campaigns of these paths and inserts new ones; a name beyond the limits
 * gets no id. New ids are valid only once the transaction commits.
 *
 * @param day number of the UTC day since 1970 whose limit applies, or `trusted`
 */
export function* sourceIds(
  paths: Iterable<string | null>,
  { day }: { day: number },
): Statements<SourceIds> {
  const ids: SourceIds = new Map();
  const wanted = [...new Set(paths)].filter((path) => path !== null);
  const names = [...new Set([...wanted.map(sourceIn), ...wanted])];
  const lookUp = function* (): Statements<void> {
    const rows = yield* all(selectSources, [JSON.stringify(names.map((name) => [name]))]);
    for (const { id, name } of rows) if (name !== null) ids.set(name, id);
  };
  if (names.length > 0) yield* lookUp();
  // Sources first, because each campaign refers to one.
  for (const isCampaign of [false, true]) {
    const fresh = names
      .filter((name) => (sourceIn(name) !== name) === isCampaign && !ids.has(name))
      .map((name): [string, number | null] => [name, ids.get(sourceIn(name)) ?? null])
      .filter(([, parent]) => !isCampaign || parent !== null);
    if (fresh.length === 0) continue;
    const quota = day === trusted ? fresh.length : yield* remainingQuota(day, { isCampaign });
    // Sorted, so that concurrent inserts of the same names cannot deadlock.
    const added = fresh.slice(0, quota).sort(([a], [b]) => (a < b ? -1 : 1));
    yield* run(insertSources, [day, JSON.stringify(added)]);
    yield* lookUp();
  }
  return ids;
}

/** The id of the campaign or source that a path counts under, after `sourceIds` has looked it up. */
export function idIn(ids: SourceIds, path: string | null): number {
  if (path === null) return direct;
  const source = ids.get(sourceIn(path)) ?? other;
  return ids.get(path) ?? source;
}

/** The id of the source of the campaign with the id in this column; null for a source. */
export const parentOf = (column: string) =>
  `(SELECT parent FROM source AS named WHERE named.id = ${column})`;

const insertSources = sql`INSERT INTO source (name, parent, first_day)
  SELECT name, parent, CAST(? AS bigint)
  FROM ${jsonRows({ name: text, parent: schema.source.parent })} AS added WHERE true
  ON CONFLICT DO NOTHING`;
const selectSources = sql`SELECT ${columns('source', 'id', 'name')}
  FROM source WHERE name IN (SELECT name FROM ${jsonRows({ name: text })} AS wanted)`;
const countNames = (isCampaign: boolean) =>
  sql`SELECT ${columns('source', {
    total: count,
    today: computed<number>('count(*) FILTER (WHERE first_day = ?)'),
  })} FROM source WHERE first_day <> ${trusted} AND parent IS ${isCampaign ? 'NOT NULL' : 'NULL'}`;
const countSources = countNames(false);
const countCampaigns = countNames(true);

function* remainingQuota(day: number, { isCampaign }: { isCampaign: boolean }): Statements<number> {
  const counted = yield* get(isCampaign ? countCampaigns : countSources, [day]);
  const { today, total } = counted ?? { today: 0, total: 0 };
  return Math.max(0, Math.min(maxNamesPerDay - today, maxNames - total));
}
