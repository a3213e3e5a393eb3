/** Counts requests excluded from the analytics in memory and writes the counts in batches. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { hourMs } from '../time/units.ts';
import type { ExcludedCount, ExclusionReason } from './model.ts';
import type { AnalyticsStore } from './store.ts';

/** Milliseconds between writes: a flood of requests costs one write, a crash loses at most this interval. */
const flushIntervalMs = 1000;

/** Maximum backoff in milliseconds while writes fail. */
const maxBackoffMs = 10_000;

/** Timeout of the last write on shutdown, in milliseconds. */
const stopTimeoutMs = 1000;

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
  /** By reason and hour, so that counts delayed by an outage stay in the hour of the request. */
  let counts = new Map<string, ExcludedCount>();
  let timer: NodeJS.Timeout | undefined;
  let delayMs = flushIntervalMs;
  let isStopped = false;

  const addCount = (one: ExcludedCount) => {
    const key = `${one.reason} ${Math.floor(one.at / hourMs)}`;
    counts.set(key, { ...one, n: one.n + (counts.get(key)?.n ?? 0) });
    if (!isStopped) timer ??= setTimeout(write, delayMs).unref();
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const pending = [...counts.values()];
    counts = new Map();
    try {
      await store.addExcludedCounts(pending);
      delayMs = flushIntervalMs;
    } catch (error) {
      // Logged once per outage.
      if (delayMs === flushIntervalMs) {
        log.error({ error }, 'excluded counts: could not be stored; retrying');
      }
      delayMs = Math.min(maxBackoffMs, 2 * delayMs);
      for (const one of pending) addCount(one);
    }
  };
  return {
    /** Counts one exclusion in the current hour. */
    add: (reason: ExclusionReason) => addCount({ reason, at: now(), n: 1 }),
    /** Stops the timer and writes the remaining counts, for at most a second. */
    async stop() {
      isStopped = true;
      await Promise.race([write(), pause(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}
