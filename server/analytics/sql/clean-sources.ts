/** Removes email addresses from the sources that earlier versions stored. */
import { emailName, sourceText } from '../../attribution/source-name.ts';
import { columns } from '../../database/columns.ts';
import {
  all,
  type Database,
  run,
  type Statements,
  writeUntilDone,
} from '../../database/database.ts';
import { integer, text } from '../../database/schema.ts';
import { jsonRows, sql } from '../../database/sql.ts';
import { dayMs } from '../../time/units.ts';
import { dayOf } from '../time-window.ts';
import { kinds, moveCounters } from './counters.ts';
import { moveSale } from './sales.ts';
import { currentName, idsIn, retiredName, sourceIds, trusted } from './sources.ts';

/** Maximum sales per transaction, so that visitors' writes can run in between. */
const batchSize = 100;

/**
 * Counts sources and sales that hold an email address under `email`. Each transaction moves one day with
 * its counters, so `compareCounters` finds no difference between transactions. The source rows stay,
 * renamed: another instance may still add to an id in its cache, and the next run moves those counts.
 */
export async function cleanSources(database: Database): Promise<void> {
  const { sources, lasts, firsts } = await database.read(findPersonalSources);
  if (sources.length + lasts.length + firsts.length === 0) return;
  const target = await database.write(() => retire(sources));
  const old = JSON.stringify(sources.map((id) => [id]));
  const days = await database.read(() => all(countedDays, [old]));
  for (const { from } of days) {
    await database.write(() => moveDay({ target, sources: old }, from));
  }
  const toJson = (texts: string[]) => JSON.stringify(texts.map((text) => [text]));
  const moved = await writeUntilDone(database, () => moveSales(toJson(lasts)));
  const cleaned = await writeUntilDone(database, () =>
    run(cleanFirsts, [emailName, toJson(firsts)]),
  );
  if (days.length + moved + cleaned > 0) await database.wipeDeletedRows();
}

/** Ids of sources and source texts of sales that hold an email address. */
interface PersonalSources {
  sources: number[];
  lasts: string[];
  firsts: string[];
}

const selectSources = sql`SELECT ${columns('source', 'id', 'name')} FROM source`;
const selectLasts = sql`SELECT DISTINCT ${columns('conversion', { text: 'source', id: 'source_id' })}
  FROM conversion`;
const selectFirsts = sql`SELECT DISTINCT ${columns('conversion', { text: 'first_source' })}
  FROM conversion`;

function* findPersonalSources(): Statements<PersonalSources> {
  const named = yield* all(selectSources);
  const sources = new Set(
    named.filter(({ name }) => name !== null && isStale(name)).map(({ id }) => id),
  );
  const nameOf = new Map(named.map(({ id, name }) => [id, name]));
  const sales = yield* all(selectLasts);
  const lasts = new Set<string>();
  for (const { text, id } of sales) {
    if (text === null || !isPersonal(text)) continue;
    lasts.add(text);
    // An earlier version kept the digits of a doubly encoded `@` (%2540), and with them the address.
    if (/2540/.test(nameOf.get(id) ?? '')) sources.add(id);
  }
  const firsts = yield* all(selectFirsts);
  return {
    sources: [...sources],
    lasts: [...lasts],
    firsts: firsts.flatMap(({ text }) => (text !== null && isPersonal(text) ? [text] : [])),
  };
}

const isPersonal = (text: string) => text !== emailName && sourceText(text) === emailName;

const isStale = (name: string) => name !== emailName && currentName(name) === emailName;

/** Renames sources; returns the id of the source that their counts move to. */
function* retire(sources: readonly number[]): Statements<number> {
  yield* run(renameSources, [JSON.stringify(sources.map((id) => [id, retiredName(id)]))]);
  return idsIn(yield* sourceIds([emailName], { day: trusted }), emailName).source;
}

/** Setting `first_day` excludes these sources from the daily limit on names from visitors. */
const renameSources = sql`UPDATE source SET name = named.name, first_day = ${trusted}
  FROM ${jsonRows({ id: integer, name: text })} AS named
  WHERE source.id = named.id AND source.name <> named.name`;

const inSources = sql`IN (SELECT id FROM ${jsonRows({ id: integer })} AS moved)`;

const countedDays = sql`SELECT DISTINCT ${columns('counter', { from: 'bucket' })} FROM counter
  WHERE source ${inSources} AND width = ${dayMs} ORDER BY bucket`;

interface Move {
  target: number;
  /** JSON rows of one id each, the parameter of `inSources`. */
  sources: string;
}

/**
 * Moves the counts of the UTC day that starts at `from`. Counters move first: on PostgreSQL another
 * instance may add rows after that, whose counters stay until the next run moves them.
 */
function* moveDay({ target, sources }: Move, from: number): Statements<void> {
  const to = from + dayMs;
  yield* moveCounters({ sources, target }, { from, to });
  yield* run(moveEvents, [target, from, to, sources]);
  yield* run(moveVisitors, [target, dayOf(from), sources]);
  yield* run(moveSalesOfDay, [target, emailName, from, to, sources]);
}

const moveEvents = sql`UPDATE event SET source = ?
  WHERE kind IN (${Object.values(kinds).join(', ')}) AND at >= ? AND at < ? AND source ${inSources}`;
const moveVisitors = sql`UPDATE seen_visitor SET source = ? WHERE day = ? AND source ${inSources}`;
const moveSalesOfDay = sql`UPDATE conversion SET source_id = ?, source = ?
  WHERE at >= ? AND at < ? AND source_id ${inSources}`;

const inTexts = sql`IN (SELECT text FROM ${jsonRows({ text })} AS personal)`;

const salesWithText = sql`SELECT ${columns('conversion', 'id')} FROM conversion WHERE source ${inTexts} LIMIT ${batchSize}`;

/** Moves one batch of the sales with these source texts; returns its size. */
function* moveSales(texts: string): Statements<number> {
  const sales = yield* all(salesWithText, [texts]);
  for (const { id } of sales) yield* moveSale(id, emailName);
  return sales.length;
}

const cleanFirsts = sql`UPDATE conversion SET first_source = ? WHERE id IN (
  SELECT id FROM conversion WHERE first_source ${inTexts} LIMIT ${batchSize})`;
