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
  /** Forgets what `key` has used. */
  clear(key: string): void;
}

const capacity = 20_000;

export function createLimiter(now: () => number): Limiter {
  const windows = new Map<string, { ends: number; used: number }>();

  return {
    take(key, { max, per }) {
      const at = now();
      const current = windows.get(key);
      if (current && current.ends > at && current.ends - at <= per) {
        current.used += 1;
        return current.used > max ? current.ends - at : 0;
      }
      windows.delete(key);
      // The oldest key leaves: a flood of addresses costs memory up to a point, never the process.
      if (windows.size >= capacity) {
        const oldest = windows.keys().next();
        if (!oldest.done) windows.delete(oldest.value);
      }
      windows.set(key, { ends: at + per, used: 1 });
      return 0;
    },
    clear: (key) => void windows.delete(key),
  };
}
