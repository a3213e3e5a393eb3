/** Deletes old events. Their counters stay. */
import { columns, max } from '../../database/columns.ts';
import {
  type Database,
  get,
  run,
  type Statements,
  writeUntilDone,
} from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { dayMs } from '../../time/units.ts';
import { dayOf } from '../time-window.ts';
import { kinds } from './counters.ts';

/** Maximum rows per transaction, so that a server on the same file can write in between. */
const batchSize = 5000;

/** Minimum retention in ms before the newest event, so that a clock set ahead deletes no recent events. */
const minimumRetentionMs = 200 * dayMs;

const selectNewest = sql`SELECT ${columns('event', { at: max('at') })} FROM event
  WHERE kind = ${kinds.page_view}`;
const selectBatchEnd = sql`SELECT ${columns('event', 'at')} FROM event
  WHERE kind = ? AND at < ? ORDER BY at LIMIT 1 OFFSET ${batchSize}`;
const selectHorizon = sql`SELECT ${columns('event_horizon', 'at')} FROM event_horizon`;

/** Deletes the events before `requestedHorizon` (start of a UTC day, ms); returns the number deleted. */
export async function pruneEvents(database: Database, requestedHorizon: number): Promise<number> {
  const newest = await database.read(() => get(selectNewest));
  if (newest?.at == null) return 0;
  const horizon = Math.min(requestedHorizon, dayOf(newest.at - minimumRetentionMs) * dayMs);
  // Stored first: from then on, figures need no events before it.
  await database.write(() =>
    run(
      `INSERT INTO event_horizon (id, at) VALUES (1, ?)
       ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE event_horizon.at < excluded.at`,
      [horizon],
    ),
  );
  let deleted = 0;
  for (const kind of Object.values(kinds)) {
    deleted += await writeUntilDone(database, () => deleteBatch(kind, horizon));
  }
  return deleted;
}

function* deleteBatch(kind: number, horizon: number): Statements<number> {
  const end = yield* get(selectBatchEnd, [kind, horizon]);
  // Rows of the same millisecond are deleted together.
  return yield* run('DELETE FROM event WHERE kind = ? AND at < ?', [
    kind,
    end === undefined ? horizon : Math.min(end.at + 1, horizon),
  ]);
}

/** Time (ms) before which events were pruned; undefined while none were. */
export function* eventHorizon(): Statements<number | undefined> {
  return (yield* get(selectHorizon))?.at;
}
