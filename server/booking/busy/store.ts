import { columns, count } from '../../database/columns.ts';
import { all, type Database, get, run, type Statements } from '../../database/database.ts';
import { idList, listedIds } from '../../database/id-list.ts';
import { integer, text } from '../../database/schema.ts';
import { jsonRows, sql } from '../../database/sql.ts';
import type { Span } from '../slots.ts';

/** How well a calendar is read. Times are milliseconds since 1970, UTC. */
export interface CalendarState {
  id: string;
  /** When it was last read; null: never. */
  readAt: number | null;
  /** When it was last tried, also where the response was that nothing has changed. */
  triedAt: number;
  /** Why it cannot be read, and since when; null: it can. */
  error: string | null;
  failingSince: number | null;
}

/** A calendar that this process may read now, with the validators of the last response. */
export interface ClaimedCalendar extends Pick<CalendarState, 'readAt'> {
  etag: string | null;
  lastModified: string | null;
}

export type BusyStore = ReturnType<typeof createBusyStore>;

/** Creates the store of the busy times in the owner's other calendars. */
export function createBusyStore(database: Database) {
  return {
    /** Deletes all calendars but these, and adds those that are new. */
    keepOnly: (ids: readonly string[]) =>
      database.write(function* (): Statements<void> {
        const kept = idList(ids);
        yield* run(deleteSpansOfOthers, [kept]);
        yield* run(deleteOthers, [kept]);
        for (const id of ids) {
          yield* run(
            'INSERT INTO busy_calendar (id, tried_at) VALUES (?, 0) ON CONFLICT DO NOTHING',
            [id],
          );
        }
      }),

    /**
     * Claims a calendar that was last tried before `before`, or `failedBefore` without success, so that one of several
     * instances reads it. Undefined when another one has just tried it.
     */
    claim: (
      id: string,
      { now, before, failedBefore }: { now: number; before: number; failedBefore: number },
    ) => database.write(() => get(claimCalendar, [now, id, before, failedBefore, now])),

    /** Replaces the busy times of a calendar by those that were read, unless it was removed meanwhile. */
    replace: (
      id: string,
      {
        spans,
        etag,
        lastModified,
        now,
      }: {
        spans: readonly Span[];
        etag: string | undefined;
        lastModified: string | undefined;
        now: number;
      },
    ) =>
      database.write(function* (): Statements<void> {
        const updated = yield* run(
          `UPDATE busy_calendar SET read_at = ?, etag = ?, last_modified = ?, error = NULL,
             failing_since = NULL WHERE id = ?`,
          [now, etag ?? null, lastModified ?? null, id],
        );
        if (updated === 0) return;
        yield* run('DELETE FROM busy_span WHERE calendar = ?', [id]);
        yield* run(insertSpans, [JSON.stringify(spans.map(({ from, to }) => [id, from, to]))]);
      }),

    /** Records that a calendar has not changed since it was read. */
    unchanged: (id: string) =>
      database.write(function* (): Statements<void> {
        yield* run('UPDATE busy_calendar SET error = NULL, failing_since = NULL WHERE id = ?', [
          id,
        ]);
      }),

    /** Records that a calendar could not be read. Its busy times stay as they were. */
    failed: (id: string, { error, now }: { error: string; now: number }) =>
      database.write(function* (): Statements<void> {
        yield* run(
          `UPDATE busy_calendar SET error = ?, failing_since = coalesce(failing_since, ?) WHERE id = ?`,
          [error, now, id],
        );
      }),

    states: (): Promise<CalendarState[]> => database.read(() => all(selectStates)),

    /** The states with the number of busy times between `from` and `to` (ms since 1970, UTC), from one snapshot. */
    counts: ({ from, to }: Span) =>
      database.read(function* (): Statements<(CalendarState & { busyTimes: number })[]> {
        const states = yield* all(selectStates);
        const counts = new Map(
          (yield* all(countSpans, [to, from])).map(({ calendar, n }) => [calendar, n]),
        );
        return states.map((state) => ({ ...state, busyTimes: counts.get(state.id) ?? 0 }));
      }),
  };
}

const deleteOthers = sql`DELETE FROM busy_calendar WHERE id NOT IN ${listedIds}`;
const deleteSpansOfOthers = sql`DELETE FROM busy_span WHERE calendar NOT IN ${listedIds}`;

/** A time in the future comes from a clock that was ahead. */
const claimCalendar = sql`UPDATE busy_calendar SET tried_at = ?
  WHERE id = ?
    AND (tried_at <= ? OR failing_since IS NOT NULL AND tried_at <= ? OR tried_at > ?)
  RETURNING ${columns('busy_calendar', 'etag', { lastModified: 'last_modified', readAt: 'read_at' })}`;

const insertSpans = sql`INSERT INTO busy_span (calendar, starts_at, ends_at)
  SELECT calendar, starts_at, ends_at
  FROM ${jsonRows({ calendar: text, starts_at: integer, ends_at: integer })} AS added
  WHERE true ON CONFLICT DO NOTHING`;

const countSpans = sql`SELECT ${columns('busy_span', 'calendar', { n: count })} FROM busy_span
  WHERE starts_at < ? AND ends_at > ? GROUP BY calendar`;

const selectStates = sql`SELECT ${columns('busy_calendar', 'id', 'error', {
  readAt: 'read_at',
  triedAt: 'tried_at',
  failingSince: 'failing_since',
})} FROM busy_calendar ORDER BY id`;
