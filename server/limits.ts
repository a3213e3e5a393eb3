/**
 * How often something may be tried: a fixed window per key, in memory, bounded.
 *
 * Lives under the procedures, so that both doors share one count.
 */

export interface Allowance {
  /** Tries within one window. */
  max: number;
  /** Length of the window in milliseconds. */
  per: number;
}

export interface Limiter {
  /** Counts one try. Returns 0, or the milliseconds to wait when `key` has used its allowance up. */
  take(key: string, allowance: Allowance): number;
  /** Takes one try back that was not one in the end. */
  giveBack(key: string): void;
  /** Forgets what `key` has used. */
  clear(key: string): void;
}

/** Keys of one generation; two generations are kept. */
const capacity = 10_000;

export function createLimiter(now: () => number): Limiter {
  type Windows = Map<string, { ends: number; used: number }>;
  let recent: Windows = new Map();
  let older: Windows = new Map();

  const remember = (key: string, window: { ends: number; used: number }) => {
    // A flood of addresses costs memory up to a point, never the process. All that was not used for
    // a whole generation leaves at once: looking for the oldest key each time would walk over the
    // holes the last ones left.
    if (recent.size >= capacity) [recent, older] = [new Map(), recent];
    recent.set(key, window);
  };

  return {
    take(key, { max, per }) {
      const at = now();
      let current = recent.get(key);
      if (!current) {
        current = older.get(key);
        if (current) remember(key, current);
      }
      if (current && current.ends > at && current.ends - at <= per) {
        current.used += 1;
        return current.used > max ? current.ends - at : 0;
      }
      remember(key, { ends: at + per, used: 1 });
      return 0;
    },
    giveBack(key) {
      const current = recent.get(key) ?? older.get(key);
      if (current && current.used > 0) current.used -= 1;
    },
    clear(key) {
      recent.delete(key);
      older.delete(key);
    },
  };
}
