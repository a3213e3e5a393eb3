/** Removes email addresses and phone numbers from the sources that earlier versions stored. */
import { type PersonalName, personalNames, sourceText } from '../attribution/source-name.ts';
import { all, type Database, run, type Steps } from '../database/database.ts';
import { given, type Sql, sql } from '../database/sql.ts';
import { kinds, moveCounters } from './counters-sql.ts';
import { currentName, idIn, isFixed, retiredName, sourceIds, trusted } from './sources-sql.ts';
import { dayOf } from './visitors.ts';

const day = 24 * 60 * 60_000;

/** Most sales whose text one transaction changes: the visitors' writes get in between. */
const batch = 1000;

/**
 * Counts everything of these sources under `email` or `phone`. A transaction moves one day with its
 * counters, so `compareCounters` finds no difference between two of them. The rows of the sources stay,
 * renamed: another instance may still add to an id that it has in memory, and the next run moves that.
 */
export async function cleanSources(database: Database): Promise<void> {
  const found = await database.read(find);
  let changed = 0;
  for (const name of personalNames) {
    const { sources, lasts, firsts } = found[name];
    if (sources.length + lasts.length + firsts.length === 0) continue;
    const target = await database.write(() => retire(sources, name));
    const old = JSON.stringify(sources.map((id) => [id]));
    const days = await database.read(() => all<{ from: number }>(countedDays, [old]));
    for (const { from } of days) {
      await database.write(() => moveDay({ name, target, sources: old }, from));
    }
    const inBatches = async (statement: Sql, values: (string | number)[]) => {
      while ((await database.write(() => run(statement, values))) > 0) changed += 1;
    };
    await inBatches(cleanLasts, [name, JSON.stringify(lasts.map((text) => [text])), target]);
    await inBatches(cleanFirsts, [name, JSON.stringify(firsts.map((text) => [text]))]);
    changed += days.length;
  }
  if (changed > 0) await database.shred();
}

/** What names a person: ids of sources, and texts of sales. */
interface Found {
  sources: number[];
  lasts: string[];
  firsts: string[];
}

function* find(): Steps<Record<PersonalName, Found>> {
  const found: Record<PersonalName, Found> = {
    email: { sources: [], lasts: [], firsts: [] },
    phone: { sources: [], lasts: [], firsts: [] },
  };
  const sources = yield* all<{ id: number; name: string }>(
    'SELECT id, name FROM source WHERE name IS NOT NULL',
  );
  const retired = new Set<number>();
  const add = (id: number, name: PersonalName) => {
    if (!retired.has(id)) found[name].sources.push(id);
    retired.add(id);
  };
  for (const { id, name } of sources) {
    const clean = currentName(name);
    if (clean !== name && isPersonal(clean)) add(id, clean);
  }
  const kept = new Set(sources.flatMap(({ id, name }) => (isPersonal(name) ? id : [])));
  const lasts = yield* all<{ text: string; id: number }>(
    'SELECT DISTINCT source AS text, source_id AS id FROM conversion WHERE source IS NOT NULL',
  );
  for (const { text, id } of lasts) {
    const clean = sourceText(text);
    if (clean === text || !isPersonal(clean)) continue;
    // The name was made from the text by earlier rules, and may hold what is left of an address.
    if (kept.has(id)) found[clean].lasts.push(text);
    else if (!isFixed(id)) add(id, clean);
  }
  const firsts = yield* all<{ text: string }>(
    'SELECT DISTINCT first_source AS text FROM conversion WHERE first_source IS NOT NULL',
  );
  for (const { text } of firsts) {
    const clean = sourceText(text);
    if (clean !== text && isPersonal(clean)) found[clean].firsts.push(text);
  }
  return found;
}

const isPersonal = (name: string): name is PersonalName =>
  (personalNames as readonly string[]).includes(name);

/** Renames sources; returns the id of the source that what they count moves to. */
function* retire(sources: readonly number[], name: PersonalName): Steps<number> {
  yield* run(renaming, [JSON.stringify(sources.map((id) => [id, retiredName(name, id)]))]);
  return idIn(yield* sourceIds([name], { day: trusted }), name);
}

/** Strangers get the room back that these sources took up. */
const renaming = sql`UPDATE source SET name = named.name, first_day = ${trusted}
  FROM ${given({ id: 'integer', name: 'text' })} AS named
  WHERE source.id = named.id AND source.name <> named.name`;

const inSources = sql`IN (SELECT id FROM ${given({ id: 'integer' })} AS moved)`;

const countedDays = sql`SELECT DISTINCT bucket AS "from" FROM counter
  WHERE source ${inSources} AND width = ${day} ORDER BY bucket`;

interface Move {
  name: PersonalName;
  target: number;
  /** JSON, as `inSources` takes it. */
  sources: string;
}

/**
 * Moves what the UTC day that starts at `from` counted. The counters come first: on PostgreSQL, what
 * another instance adds after that keeps its counters, and the next run moves them.
 */
function* moveDay({ name, target, sources }: Move, from: number): Steps<void> {
  const to = from + day;
  yield* moveCounters({ sources, target }, { from, to });
  yield* run(moveMarks, [target, from, to, sources]);
  yield* run(moveVisitors, [target, dayOf(from), sources]);
  yield* run(moveSales, [target, name, from, to, sources]);
}

const moveMarks = sql`UPDATE mark SET source = ?
  WHERE kind IN (${Object.values(kinds).join(', ')}) AND at >= ? AND at < ? AND source ${inSources}`;
const moveVisitors = sql`UPDATE seen_visitor SET source = ? WHERE day = ? AND source ${inSources}`;
const moveSales = sql`UPDATE conversion SET source_id = ?, source = ?
  WHERE at >= ? AND at < ? AND source_id ${inSources}`;

const inTexts = sql`IN (SELECT text FROM ${given({ text: 'text' })} AS personal)`;

/** Of sales that are counted under the right source already. */
const cleanLasts = sql`UPDATE conversion SET source = ? WHERE id IN (
  SELECT id FROM conversion WHERE source ${inTexts} AND source_id = ? LIMIT ${batch})`;
const cleanFirsts = sql`UPDATE conversion SET first_source = ? WHERE id IN (
  SELECT id FROM conversion WHERE first_source ${inTexts} LIMIT ${batch})`;
