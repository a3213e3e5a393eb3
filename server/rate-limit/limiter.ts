/**
 * How often something may be tried: a fixed window per key, in memory, bounded. Where several instances
 * share a database, `shared-limiter.ts` counts over all of them.
 *
 * Lives under the procedures, so that both doors share one count.
 */

export interface Quota {
  /** Tries within one window. */
  max: number;
  /** Length of the window in milliseconds. */
  windowMs: number;
}

/** What a key has used of its window. */
export interface Usage {
  used: number;
  /** When the window ends, milliseconds since 1970, UTC. */
  endsAt: number;
}

/** Answers at once where it can: most tries are made where nobody else need be asked. */
export interface RateLimiter {
  /**
   * Counts one try, or `n` of something else. Returns 0, or the milliseconds to wait when `key` has used
   * its allowance up.
   */
  consume(key: string, allowance: Quota, n?: number): number | Promise<number>;
  /** Takes back `n` that do not count in the end; one by default. */
  refund(key: string, n?: number): void | Promise<void>;
  /** Forgets what `key` has used. */
  reset(key: string): void | Promise<void>;
}

/** A limiter that asks nobody. */
export interface LocalLimiter extends RateLimiter {
  consume(key: string, allowance: Quota, n?: number): number;
  refund(key: string, n?: number): void;
  reset(key: string): void;
  /** Counts `n`, and says how many that makes. */
  count(key: string, per: number, n: number): Usage;
  /** Takes over what is known better elsewhere. */
  set(key: string, use: Usage): void;
}

/** Keys of one generation; two generations are kept. */
const capacity = 10_000;

export function createLocalLimiter(now: () => number): LocalLimiter {
  let recent = new Map<string, Usage>();
  let older = new Map<string, Usage>();

  const remember = (key: string, window: Usage): Usage => {
    // A flood of addresses costs memory up to a point, never the process. All that was not used for
    // a whole generation leaves at once: looking for the oldest key each time would walk over the
    // holes the last ones left.
    if (recent.size >= capacity) [recent, older] = [new Map(), recent];
    recent.set(key, window);
    return window;
  };
  const count = (key: string, per: number, n: number): Usage => {
    const at = now();
    let current = recent.get(key);
    if (!current) {
      current = older.get(key);
      if (current) remember(key, current);
    }
    if (!current || current.endsAt <= at || current.endsAt - at > per) {
      return remember(key, { endsAt: at + per, used: n });
    }
    current.used += n;
    return current;
  };

  return {
    count,
    set: remember,
    consume(key, { max, windowMs: per }, n = 1) {
      const { used, endsAt: ends } = count(key, per, n);
      return used > max ? ends - now() : 0;
    },
    refund(key, n = 1) {
      const current = recent.get(key) ?? older.get(key);
      if (current) current.used = Math.max(0, current.used - n);
    },
    reset(key) {
      recent.delete(key);
      older.delete(key);
    },
  };
}
