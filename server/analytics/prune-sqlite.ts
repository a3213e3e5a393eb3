/** Letting old marks go. What was counted stays counted. */
import type { Sqlite, Tx } from '../database/sqlite.ts';
import { bucketOf, kinds } from './counters-sqlite.ts';

/** Most rows one transaction deletes: a server on the same file gets to write in between. */
const batch = 5000;

/** What is kept in any case, in ms before the newest mark: a clock that is ahead deletes nothing new. */
const kept = 200 * 24 * 60 * 60_000;

/** Deletes the marks before `wanted` (start of a UTC day, ms); returns how many there were. */
export async function pruneMarks(database: Sqlite, wanted: number): Promise<number> {
  const newest = database.read((tx) =>
    tx.get<{ at: number | null }>('SELECT max(at) AS at FROM mark WHERE kind = 1'),
  )?.at;
  if (newest == null) return 0;
  const horizon = Math.min(wanted, bucketOf(newest - kept, 24 * 60 * 60_000));
  // First of all it is said that they are no measure of the counters any more.
  await database.write((tx) =>
    tx.run(
      `INSERT INTO mark_horizon (id, at) VALUES (1, ?)
       ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)`,
      [horizon],
    ),
  );
  let deleted = 0;
  for (const kind of Object.values(kinds)) {
    let last: number;
    do {
      last = await database.write((tx) => deleteSome(tx, kind, horizon));
      deleted += last;
    } while (last > 0);
  }
  return deleted;
}

function deleteSome(tx: Tx, kind: number, horizon: number): number {
  const end = tx.get<{ at: number }>(
    `SELECT at FROM mark WHERE kind = ? AND at < ? ORDER BY at LIMIT 1 OFFSET ${batch}`,
    [kind, horizon],
  );
  // Those of one millisecond go together.
  return tx.run('DELETE FROM mark WHERE kind = ? AND at < ?', [
    kind,
    end === undefined ? horizon : Math.min(end.at + 1, horizon),
  ]);
}

/** Before this, marks are gone; undefined while all are kept. */
export const markHorizon = (tx: Pick<Tx, 'get'>): number | undefined =>
  tx.get<{ at: number }>('SELECT at FROM mark_horizon')?.at;
