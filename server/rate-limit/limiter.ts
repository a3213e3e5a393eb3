/**
 * Rate limiter: a fixed window per key, in memory, of bounded size. When several instances share a
 * database, `shared-limiter.ts` adds up their counts.
 */

export interface Quota {
  /** Maximum uses within one window. */
  max: number;
  /** Length of the window in milliseconds. */
  windowMs: number;
}

/** The current window of a key. */
export interface Usage {
  used: number;
  /** When the window ends, milliseconds since 1970, UTC. */
  endsAt: number;
}

/** Returns a value instead of a promise when no database is needed, which is the common case. */
export interface RateLimiter {
  /** Counts `n` uses, 1 by default. Returns 0, or the milliseconds to wait when `quota` is exceeded. */
  consume(key: string, quota: Quota, n?: number): number | Promise<number>;
  /** Subtracts `n` uses, 1 by default. */
  release(key: string, n?: number): void | Promise<void>;
  /** Deletes the window of `key`. */
  reset(key: string): void | Promise<void>;
}

/** A synchronous limiter, which counts in the memory of this instance. */
export interface LocalLimiter extends RateLimiter {
  consume(key: string, quota: Quota, n?: number): number;
  release(key: string, n?: number): void;
  reset(key: string): void;
  /** Counts `n` uses in a window of `windowMs` and returns the window. */
  count(key: string, windowMs: number, n: number): Usage;
  /** Replaces the window of `key`, by one that the shared count returned. */
  set(key: string, usage: Usage): void;
}

/** Maximum keys of one generation. The limiter stores two generations. */
const capacity = 10_000;

/** Creates a limiter that counts in memory. `now` returns milliseconds since 1970, UTC. */
export function createLocalLimiter(now: () => number): LocalLimiter {
  let recent = new Map<string, Usage>();
  let older = new Map<string, Usage>();

  const store = (key: string, window: Usage): Usage => {
    // Bounds memory under a flood of addresses. Dropping a whole generation is cheaper than evicting
    // the oldest key each time, which would iterate over the slots of deleted entries.
    if (recent.size >= capacity) [recent, older] = [new Map(), recent];
    recent.set(key, window);
    return window;
  };
  const count = (key: string, windowMs: number, n: number): Usage => {
    const at = now();
    let current = recent.get(key);
    if (!current) {
      current = older.get(key);
      if (current) store(key, current);
    }
    // A window that ends too late was opened before the clock was set back.
    if (!current || current.endsAt <= at || current.endsAt - at > windowMs) {
      return store(key, { endsAt: at + windowMs, used: n });
    }
    current.used += n;
    return current;
  };

  return {
    count,
    set: store,
    consume(key, { max, windowMs }, n = 1) {
      const { used, endsAt } = count(key, windowMs, n);
      return used > max ? endsAt - now() : 0;
    },
    release(key, n = 1) {
      const current = recent.get(key) ?? older.get(key);
      if (current) current.used = Math.max(0, current.used - n);
    },
    reset(key) {
      recent.delete(key);
      older.delete(key);
    },
  };
}
