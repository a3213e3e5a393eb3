/**
 * How often something may be tried: a fixed window per key, in memory, bounded. Where several instances
 * share a database, `shared-limiter.ts` counts over all of them.
 *
 * Lives under the procedures, so that both doors share one count.
 */

export interface Allowance {
  /** Tries within one window. */
  max: number;
  /** Length of the window in milliseconds. */
  per: number;
}

/** What a key has used of its window. */
export interface Use {
  used: number;
  /** When the window ends, milliseconds since 1970, UTC. */
  ends: number;
}

/** Answers at once where it can: most tries are made where nobody else need be asked. */
export interface Limiter {
  /**
   * Counts one try, or `n` of something else. Returns 0, or the milliseconds to wait when `key` has used
   * its allowance up.
   */
  take(key: string, allowance: Allowance, n?: number): number | Promise<number>;
  /** Takes back `n` that do not count in the end; one by default. */
  giveBack(key: string, n?: number): void | Promise<void>;
  /** Forgets what `key` has used. */
  clear(key: string): void | Promise<void>;
}

/** A limiter that asks nobody. */
export interface OwnLimiter extends Limiter {
  take(key: string, allowance: Allowance, n?: number): number;
  giveBack(key: string, n?: number): void;
  clear(key: string): void;
  /** Counts `n`, and says how many that makes. */
  count(key: string, per: number, n: number): Use;
  /** Takes over what is known better elsewhere. */
  set(key: string, use: Use): void;
}

/** Keys of one generation; two generations are kept. */
const capacity = 10_000;

export function createLimiter(now: () => number): OwnLimiter {
  let recent = new Map<string, Use>();
  let older = new Map<string, Use>();

  const remember = (key: string, window: Use): Use => {
    // A flood of addresses costs memory up to a point, never the process. All that was not used for
    // a whole generation leaves at once: looking for the oldest key each time would walk over the
    // holes the last ones left.
    if (recent.size >= capacity) [recent, older] = [new Map(), recent];
    recent.set(key, window);
    return window;
  };
  const count = (key: string, per: number, n: number): Use => {
    const at = now();
    let current = recent.get(key);
    if (!current) {
      current = older.get(key);
      if (current) remember(key, current);
    }
    if (!current || current.ends <= at || current.ends - at > per) {
      return remember(key, { ends: at + per, used: n });
    }
    current.used += n;
    return current;
  };

  return {
    count,
    set: remember,
    take(key, { max, per }, n = 1) {
      const { used, ends } = count(key, per, n);
      return used > max ? ends - now() : 0;
    },
    giveBack(key, n = 1) {
      const current = recent.get(key) ?? older.get(key);
      if (current) current.used = Math.max(0, current.used - n);
    },
    clear(key) {
      recent.delete(key);
      older.delete(key);
    },
  };
}
