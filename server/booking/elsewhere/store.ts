/** Stores calls that visitors booked at Calendly or Cal.com, and counts them like those booked here. */
import { columns } from '../../database/columns.ts';
import { type Database, get, run, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { CallReport } from './deliveries.ts';

/** Counts a booked call among the visitors' activities, in the caller's transaction. */
export type CountCall = (call: { at: number; source: string | null }) => Statements<void>;

export type ElsewhereStore = ReturnType<typeof createElsewhereStore>;

export function createElsewhereStore(database: Database, countCall: CountCall) {
  return {
    /**
     * Stores reports that arrive at `now` (ms since 1970, UTC), in one transaction. Their order and
     * repetitions change nothing: each call counts once, when its booking is known, if calls are counted.
     */
    record: (
      reports: readonly CallReport[],
      { now, isCounted }: { now: number; isCounted: boolean },
    ) =>
      database.write(function* (): Statements<void> {
        for (const report of reports) {
          yield* merge(report, { now, countCall: isCounted ? countCall : function* () {} });
        }
      }),
  };
}

/** A later state replaces an earlier one. */
const states = ['booked', 'cancelled', 'moved'] as const;

const selectCall = sql`SELECT ${columns('external_call', 'state', 'source', {
  bookedAt: 'booked_at',
  start: 'starts_at',
})} FROM external_call WHERE id = ?`;

const upsert = `INSERT INTO external_call (id, state, booked_at, starts_at, source)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
  SET state = excluded.state, booked_at = excluded.booked_at, starts_at = excluded.starts_at,
    source = excluded.source`;

function* merge(
  { id, state, bookedAt, start, source, isMove }: CallReport,
  { now, countCall }: { now: number; countCall: CountCall },
): Statements<void> {
  const known = yield* get(selectCall, [id]);
  // A clock ahead of ours would count a call in the future.
  const booked = known?.bookedAt ?? (bookedAt === null ? null : Math.min(bookedAt, now));
  const later = Math.max(states.indexOf(state), states.indexOf(known?.state ?? 'booked'));
  yield* run(upsert, [
    id,
    states[later] ?? state,
    booked,
    // The time of a moved call is that of the call in its place.
    state === 'moved' ? (known?.start ?? start) : start,
    known?.source ?? source,
  ]);
  const isNew = bookedAt !== null && (known?.bookedAt ?? null) === null;
  if (isNew && !isMove) yield* countCall({ at: booked ?? now, source });
}
