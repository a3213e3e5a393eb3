/** The free times of the calls, computed at most once in some seconds: anyone can ask for them, without limit. */
import type { CallName } from '../contract/calls.ts';
import type { Schedule } from './schedule.ts';
import type { BookingStore } from './store.ts';

/** How long free times are kept, in ms: other instances and programs may have changed bookings meanwhile. */
const maxAgeMs = 5000;

/** Returns the free times of a call, in ms since 1970, in order. */
export type FreeTimes = (call: CallName) => Promise<number[]>;

/**
 * Creates the function that returns free times. `changes` counts the writes of this instance that may change
 * them: it never offers a time that it has booked.
 */
export function createFreeTimes({
  bookings,
  schedule,
  changes,
  now,
}: {
  bookings: Pick<BookingStore, 'busy'>;
  schedule: Schedule;
  changes: () => number;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
}): FreeTimes {
  const kept = new Map<CallName, { times: Promise<number[]>; at: number; changes: number }>();
  const read = async (call: CallName, at: number) =>
    schedule.free(call, await bookings.busy(schedule.horizon(call, at)), at);
  return async (call) => {
    const at = now();
    let entry = kept.get(call);
    const isFresh =
      entry && entry.changes === changes() && at >= entry.at && at - entry.at < maxAgeMs;
    if (!entry || !isFresh) {
      const made = { times: read(call, at), at, changes: changes() };
      made.times.catch(() => {
        if (kept.get(call) === made) kept.delete(call);
      });
      kept.set(call, made);
      entry = made;
    }
    const first = at + schedule.rules(call).noticeMs;
    return (await entry.times).filter((start) => start >= first);
  };
}
