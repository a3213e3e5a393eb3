/** The numbers that the tables know sources under. */
import { emailName, sourceText } from '../attribution/source-name.ts';
import { all, get, run, type Statements } from '../database/database.ts';
import { jsonRows, sql } from '../database/sql.ts';

/** Nobody sent them. */
export const direct = 1;
/** Takes the names for which there is no room. */
const other = 2;

/**
 * How many names strangers may bring, in a day and ever (each instance may bring as many in the same
 * moment): anybody can write any name into an address, and a table of nothing but those is no table.
 */
const perDay = 100;
const ever = 5000;

/** What an owner's own checkout or file names is taken as it is, and uses up nothing. */
export const trusted = 0;

/** Numbers of sources by name, as the tables have them. Those that are on disk never change. */
export type SourceIds = Map<string, number>;

/**
 * The numbers of these sources, new ones where they are new; none of a name for which there is no room.
 * Until the transaction is on disk the new ones may be taken back.
 *
 * @param day the UTC day's number since 1970 of whose allowance strangers' names are, or `trusted`
 */
export function* sourceIds(
  names: Iterable<string | null>,
  { day }: { day: number },
): Statements<SourceIds> {
  const ids: SourceIds = new Map();
  const wanted = lackingIn(ids, names);
  const learn = function* (): Statements<void> {
    for (const { id, name } of yield* look(wanted)) ids.set(name, id);
  };
  if (wanted.length > 0) yield* learn();
  const fresh = lackingIn(ids, wanted);
  if (fresh.length > 0) {
    const room = day === trusted ? fresh.length : yield* roomFor(day);
    // In one order: no two who bring the same names wait for each other.
    const brought = fresh.slice(0, room).sort();
    yield* run(bringing, [day, JSON.stringify(brought.map((name) => [name]))]);
    yield* learn();
  }
  return ids;
}

/** The number that counts for a source, once `sourceIds` has looked it up. */
export const idIn = (ids: SourceIds, name: string | null) =>
  name === null ? direct : (ids.get(name) ?? other);

/** The new name of a source that named a person. The space keeps it apart from every name of a visit. */
export const retiredName = (id: number) => `${emailName} ${id}`;

/** The name that replaces this one when it is retired or names a person, or else the name itself. */
export const currentName = (name: string) =>
  /^email \d+$/.test(name) ? emailName : sourceText(name);

const lackingIn = (ids: SourceIds, names: Iterable<string | null>) =>
  [...new Set(names)].filter((name) => name !== null).filter((name) => !ids.has(name));

const names = jsonRows({ name: 'text' });
const bringing = sql`INSERT INTO source (name, first_day)
  SELECT name, CAST(? AS bigint) FROM ${names} AS brought WHERE true ON CONFLICT DO NOTHING`;
const looking = sql`SELECT id, name FROM source WHERE name IN (SELECT name FROM ${names} AS wanted)`;

const look = (wanted: string[]): Statements<{ id: number; name: string }[]> =>
  all(looking, [JSON.stringify(wanted.map((name) => [name]))]);

function* roomFor(day: number): Statements<number> {
  const row = yield* get<{ today: number; all_days: number }>(
    `SELECT count(*) FILTER (WHERE first_day = ?) AS today, count(*) AS all_days
     FROM source WHERE first_day <> ${trusted}`,
    [day],
  );
  return Math.max(0, Math.min(perDay - (row?.today ?? 0), ever - (row?.all_days ?? 0)));
}
