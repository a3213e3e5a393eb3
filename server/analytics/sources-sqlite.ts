/** The numbers that the tables know sources under. */
import type { Sqlite, Tx } from '../database/sqlite.ts';

/** Nobody sent them. */
export const direct = 1;
/** Takes the names for which there is no room. */
const other = 2;

/**
 * How many names strangers may bring, in a day and ever: anybody can write any name into an address,
 * and a table of nothing but those is no table.
 */
const perDay = 100;
const ever = 5000;

/** What an owner's own checkout or file names is taken as it is, and uses up nothing. */
export const trusted = 0;

/** Numbers of sources that are on disk already, by name. They never change. */
export type KnownSources = Map<string, number>;

/**
 * Looks up those of the names that `known` lacks and adds them to it: the same few come again and
 * again. Not for inside a transaction, whose new numbers may be taken back.
 */
export function learnSources(
  database: Sqlite,
  names: Iterable<string | null>,
  known: KnownSources,
): void {
  const wanted = lackingIn(known, names);
  if (wanted.length > 0) database.read((tx) => look(tx, wanted, known));
}

/**
 * The numbers of these sources, new ones where they are new.
 *
 * @param day the UTC day's number since 1970 of whose allowance strangers' names are, or `trusted`
 */
export function sourceIds(
  tx: Tx,
  names: Iterable<string | null>,
  { day }: { day: number },
): (name: string | null) => number {
  const ids: KnownSources = new Map();
  const wanted = lackingIn(ids, names);
  if (wanted.length > 0) look(tx, wanted, ids);
  const fresh = lackingIn(ids, wanted);
  if (fresh.length > 0) {
    const room = day === trusted ? fresh.length : roomFor(tx, day);
    tx.run(
      `INSERT INTO source (name, first_day) SELECT value, ? FROM json_each(?) WHERE true
       ON CONFLICT DO NOTHING`,
      [day, JSON.stringify(fresh.slice(0, room))],
    );
    look(tx, wanted, ids);
  }
  return (name) => (name === null ? direct : (ids.get(name) ?? other));
}

const lackingIn = (ids: KnownSources, names: Iterable<string | null>) =>
  [...new Set(names)].filter((name) => name !== null).filter((name) => !ids.has(name));

function look(tx: Pick<Tx, 'all'>, names: string[], ids: KnownSources): void {
  const rows = tx.all<{ id: number; name: string }>(
    'SELECT id, name FROM source WHERE name IN (SELECT value FROM json_each(?))',
    [JSON.stringify(names)],
  );
  for (const { id, name } of rows) ids.set(name, id);
}

function roomFor(tx: Tx, day: number): number {
  const row = tx.get<{ today: number; all_days: number }>(
    `SELECT coalesce(sum(first_day = ?), 0) AS today, count(*) AS all_days
     FROM source WHERE first_day <> ${trusted}`,
    [day],
  );
  return Math.max(0, Math.min(perDay - (row?.today ?? 0), ever - (row?.all_days ?? 0)));
}
