/** Counts what is not counted: bare numbers in memory, written down now and then. */
import type { Log } from '../log.ts';
import type { AnalyticsStore, Reason, Uncounted } from './store.ts';

/** Milliseconds between two writings: a flood of refusals costs one write, and a crash this much. */
const writeEvery = 1000;

export interface Tally {
  add(reason: Reason): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

export function createTally({
  store,
  now,
  log,
}: {
  store: Pick<AnalyticsStore, 'addUncounted'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): Tally {
  let counts = new Map<Reason, number>();
  let timer: NodeJS.Timeout | undefined;

  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const at = now();
    const writing = counts;
    counts = new Map();
    const written: Uncounted[] = [...writing].map(([reason, n]) => ({ reason, at, n }));
    try {
      await store.addUncounted(written);
    } catch (error) {
      log.error({ error }, 'what was not counted could not be written down; trying again');
      for (const [reason, n] of writing) add(reason, n);
    }
  };

  const add = (reason: Reason, n = 1) => {
    counts.set(reason, (counts.get(reason) ?? 0) + n);
    timer ??= setTimeout(write, writeEvery).unref();
  };
  return { add: (reason) => add(reason), stop: write };
}
