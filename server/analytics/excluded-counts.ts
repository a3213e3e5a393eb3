/** Counts what is not counted: bare numbers in memory, written down now and then. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { AnalyticsStore, ExcludedCount, ExclusionReason } from './store.ts';

/** Milliseconds between two writings: a flood of refusals costs one write, and a crash this much. */
const writeEvery = 1000;

/** The same at most while they fail. */
const longestWait = 10_000;

/** Milliseconds that the last writing may take when the process is told to stop. */
const farewell = 1000;

const hour = 60 * 60_000;

export interface ExcludedCounts {
  add(reason: ExclusionReason): void;
  /** Writes what is left, if that is soon. */
  stop(): Promise<void>;
}

export function createExcludedCounts({
  store,
  now,
  log,
}: {
  store: Pick<AnalyticsStore, 'addUncounted'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): ExcludedCounts {
  /** By reason and hour: what waits for a database that is away belongs to the hour in which it came. */
  let counts = new Map<string, ExcludedCount>();
  let timer: NodeJS.Timeout | undefined;
  let wait = writeEvery;
  let isStopped = false;

  const add = (one: ExcludedCount) => {
    const key = `${one.reason} ${Math.floor(one.at / hour)}`;
    counts.set(key, { ...one, n: one.n + (counts.get(key)?.n ?? 0) });
    if (!isStopped) timer ??= setTimeout(write, wait).unref();
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const writing = [...counts.values()];
    counts = new Map();
    try {
      await store.addUncounted(writing);
      wait = writeEvery;
    } catch (error) {
      // Said once: as long as it lasts, nothing new is to be told.
      if (wait === writeEvery) {
        log.error({ error }, 'what was not counted could not be written down; trying again');
      }
      wait = Math.min(longestWait, 2 * wait);
      for (const one of writing) add(one);
    }
  };
  return {
    add: (reason) => add({ reason, at: now(), n: 1 }),
    async stop() {
      isStopped = true;
      await Promise.race([write(), pause(farewell, undefined, { ref: false })]);
    },
  };
}
