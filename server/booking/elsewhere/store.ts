/** Stores calls that visitors booked at Calendly or Cal.com, and counts them like those booked here. */

import { addEvents } from '../../analytics/sql/events.ts';
import { dayOf } from '../../analytics/time-window.ts';
import { buttonNames } from '../../contract/button-names.ts';
import { columns, computed } from '../../database/columns.ts';
import { type Database, get, run, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { CallReport } from './deliveries.ts';

export type ElsewhereStore = ReturnType<typeof createElsewhereStore>;

export function createElsewhereStore(database: Database) {
  return {
    /**
     * Stores reports that arrive at `now` (ms since 1970, UTC), in one transaction. Their order and repetitions
     * change nothing, but that a request gives its visit only to a confirmation that arrives later: each call
     * counts once, when its booking is known, if calls are counted.
     */
    record: (
      reports: readonly CallReport[],
      { now, isCounted }: { now: number; isCounted: boolean },
    ) =>
      database.write(function* (): Statements<void> {
        const buttonOf = (call: Pick<CallReport, 'button'>) =>
          buttonNames.find((name) => name === call.button) ?? null;
        for (const report of reports) {
          const booking = yield* merge({ ...report, button: buttonOf(report) });
          if (booking && isCounted) {
            const { source } = booking;
            // A clock ahead of ours would count a call in the future.
            const at = Math.min(booking.at, now);
            const call = {
              activity: 'call_booked',
              at,
              source,
              button: buttonOf(booking),
            } as const;
            yield* addEvents([call], dayOf(at));
          }
        }
      }),

    /** When each service made its newest delivery, ms since 1970, UTC; null before the first. */
    lastReports: () => database.read(() => get(selectLastReports)),
  };
}

/** A later state replaces an earlier one. */
const states = ['requested', 'booked', 'cancelled', 'moved'] as const;

const selectCall = sql`SELECT ${columns('external_call', 'state', 'source', 'button', {
  bookedAt: 'booked_at',
  start: 'starts_at',
  movedFrom: 'moved_from',
  reportedAt: 'reported_at',
})} FROM external_call WHERE id = ?`;

const selectLastReports = sql`SELECT ${columns('external_call', {
  calendly: computed<number | null>(`max(reported_at) FILTER (WHERE id NOT LIKE 'cal:%')`),
  cal: computed<number | null>(`max(reported_at) FILTER (WHERE id LIKE 'cal:%')`),
})} FROM external_call`;

const upsert = `INSERT INTO external_call
    (id, state, booked_at, starts_at, source, button, moved_from, reported_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
  SET state = excluded.state, booked_at = excluded.booked_at, starts_at = excluded.starts_at,
    source = excluded.source, button = excluded.button, moved_from = excluded.moved_from,
    reported_at = excluded.reported_at`;

/** Passes the first booking of a call on to those that took its place, one after the other. */
const updateSuccessors = `WITH RECURSIVE successor (id) AS (
    SELECT id FROM external_call WHERE moved_from = ?
    UNION SELECT c.id FROM external_call AS c JOIN successor ON c.moved_from = successor.id)
  UPDATE external_call SET booked_at = ?, source = ?, button = ?
  WHERE id IN (SELECT id FROM successor) AND (booked_at IS NULL OR booked_at >= ?)`;

type Visit = Pick<CallReport, 'source' | 'button'>;
type Booking = Visit & Pick<CallReport, 'bookedAt'>;

/** Stores what is new in a report. Returns the booking to count, if any. */
function* merge(report: CallReport): Statements<(Visit & { at: number }) | undefined> {
  const { id, state, start, reportedAt } = report;
  const known = yield* get(selectCall, [id]);
  const movedFrom = report.movedFrom ?? known?.movedFrom ?? null;
  const predecessor = movedFrom === null ? undefined : yield* get(selectCall, [movedFrom]);
  const { bookedAt, source, button } = bookedFirst(
    ...[predecessor, known].flatMap((call) => (call && call.bookedAt !== null ? [call] : [])),
    withVisit(withVisit(report, known), predecessor),
  );
  const later = Math.max(states.indexOf(state), states.indexOf(known?.state ?? 'requested'));
  const newest = known && known.reportedAt > reportedAt ? known : { start, reportedAt };
  yield* run(upsert, [
    ...[id, states[later] ?? state, bookedAt, newest.start],
    ...[source, button, movedFrom, newest.reportedAt],
  ]);
  if (bookedAt !== null) {
    yield* run(updateSuccessors, [id, bookedAt, source, button, bookedAt]);
  }
  // A call in the place of another one counts already, unless that was only requested.
  const isCounted = movedFrom !== null && !isRequest(movedFrom, predecessor);
  if (report.bookedAt === null || (known?.bookedAt ?? null) !== null || isCounted) {
    return undefined;
  }
  return { at: report.bookedAt, source, button };
}

/** Whether a call at Cal.com was reported, but not its booking, which the owner had to confirm. */
const isRequest = (id: string, call: Pick<CallReport, 'bookedAt' | 'reportedAt'> | undefined) =>
  id.startsWith('cal:') && call?.bookedAt === null && call.reportedAt > 0;

/** At Cal.com, a booking that the owner confirmed has no visit, but the request for it has. */
const withVisit = (report: Booking, request: Visit | undefined): Booking =>
  request && report.source === null && report.button === null
    ? { ...request, bookedAt: report.bookedAt }
    : report;

/** The call with the earliest booking, or the first one without any. */
const bookedFirst = (...calls: Booking[]): Booking =>
  calls.reduce((first, call) =>
    (call.bookedAt ?? Number.POSITIVE_INFINITY) < (first.bookedAt ?? Number.POSITIVE_INFINITY)
      ? call
      : first,
  );
