/** Counts the requests that are excluded from the analytics. */
import type { Log } from '../log.ts';
import { hourMs } from '../time/units.ts';
import { createWriteBuffer } from '../write-buffer.ts';
import type { ExcludedCount, ExclusionReason } from './model.ts';
import type { AnalyticsStore } from './store.ts';

export function createExcludedCounts({
  store,
  now,
  log,
}: {
  store: Pick<AnalyticsStore, 'addExcludedCounts'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}) {
  const buffer = createWriteBuffer<ExcludedCount>({
    // Counts delayed by an outage stay in the hour of the request.
    keyOf: ({ reason, at }) => `${reason} ${Math.floor(at / hourMs)}`,
    merge: (count, later) => ({ ...later, n: count.n + later.n }),
    write: (counts) => store.addExcludedCounts(counts),
    log,
    failure: 'excluded counts: could not be stored; retrying',
  });
  return {
    /** Counts one exclusion in the current hour. */
    add: (reason: ExclusionReason) => buffer.add({ reason, at: now(), n: 1 }),
    stop: buffer.stop,
  };
}
