/** The free times of the calls, computed at most once in some seconds: anyone can ask for them, without limit. */
import { cachedLoad } from '../cached-load.ts';
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
  const cacheOf = (call: CallName) =>
    cachedLoad(
      async () => {
        const at = now();
        return schedule.free(call, await bookings.busy(schedule.horizon(call, at)), at);
      },
      { maxAgeMs, now },
    );
  const caches = {
    'strategy-call': cacheOf('strategy-call'),
    'inbox-review': cacheOf('inbox-review'),
  };
  let seen = 0;
  return async (call) => {
    if (seen !== changes()) for (const cache of Object.values(caches)) cache.forget();
    seen = changes();
    const first = now() + schedule.rules(call).noticeMs;
    return (await caches[call].read()).filter((start) => start >= first);
  };
}
