/** Collects counts in memory and writes them in batches. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Milliseconds between writes: a flood of requests costs one write, a crash loses at most this interval. */
const intervalMs = 1000;

/** Maximum milliseconds between writes while they fail. */
const maxBackoffMs = 10_000;

/** Timeout of the last write when the process stops, in ms. */
const stopTimeoutMs = 1000;

export interface WriteBufferOptions<Item> {
  /** Items of one key become one. */
  keyOf: (item: Item) => string;
  merge: (item: Item, later: Item) => Item;
  write: (items: Item[]) => Promise<unknown>;
  log: Log;
  /** What is logged once for each series of failed writes. */
  failure: string;
}

export function createWriteBuffer<Item>(options: WriteBufferOptions<Item>) {
  let waiting = new Map<string, Item>();
  let timer: NodeJS.Timeout | undefined;
  let delayMs = intervalMs;
  let isStopped = false;

  const add = (item: Item) => {
    const key = options.keyOf(item);
    const known = waiting.get(key);
    waiting.set(key, known === undefined ? item : options.merge(known, item));
    if (!isStopped) timer ??= setTimeout(write, delayMs).unref();
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const items = [...waiting.values()];
    waiting = new Map();
    try {
      await options.write(items);
      delayMs = intervalMs;
    } catch (error) {
      if (delayMs === intervalMs) options.log.error({ error }, options.failure);
      delayMs = Math.min(maxBackoffMs, 2 * delayMs);
      for (const item of items) add(item);
    }
  };
  return {
    add,
    /** Stops the timer and writes what remains, for at most a second. */
    async stop() {
      isStopped = true;
      await Promise.race([write(), pause(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}
