/** Letting old marks go. What was counted stays counted. */
import { type Database, get, run, type Statements } from '../database/database.ts';
import { bucketOf, kinds } from './counters-sql.ts';

/** Most rows one transaction deletes: a server on the same file gets to write in between. */
const batch = 5000;

/** What is kept in any case, in ms before the newest mark: a clock that is ahead deletes nothing new. */
const kept = 200 * 24 * 60 * 60_000;

/** Deletes the marks before `wanted` (start of a UTC day, ms); returns how many there were. */
export async function pruneEvents(database: Database, wanted: number): Promise<number> {
  const newest = await database.read(() =>
    get<{ at: number | null }>('SELECT max(at) AS at FROM mark WHERE kind = 1'),
  );
  if (newest?.at == null) return 0;
  const horizon = Math.min(wanted, bucketOf(newest.at - kept, 24 * 60 * 60_000));
  // First of all it is said that they are no measure of the counters any more.
  await database.write(() =>
    run(
      `INSERT INTO mark_horizon (id, at) VALUES (1, ?)
       ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE mark_horizon.at < excluded.at`,
      [horizon],
    ),
  );
  let deleted = 0;
  for (const kind of Object.values(kinds)) {
    let last: number;
    do {
      last = await database.write(() => deleteSome(kind, horizon));
      deleted += last;
    } while (last > 0);
  }
  return deleted;
}

function* deleteSome(kind: number, horizon: number): Statements<number> {
  const end = yield* get<{ at: number }>(
    `SELECT at FROM mark WHERE kind = ? AND at < ? ORDER BY at LIMIT 1 OFFSET ${batch}`,
    [kind, horizon],
  );
  // Those of one millisecond go together.
  return yield* run('DELETE FROM mark WHERE kind = ? AND at < ?', [
    kind,
    end === undefined ? horizon : Math.min(end.at + 1, horizon),
  ]);
}

/** Before this, marks are gone; undefined while all are kept. */
export function* eventHorizon(): Statements<number | undefined> {
  const row = yield* get<{ at: number }>('SELECT at FROM mark_horizon');
  return row?.at;
}
