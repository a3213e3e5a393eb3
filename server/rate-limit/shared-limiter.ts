/**
 * How often something may be tried at all instances together. Each counts for itself first: whoever
 * stays far below an allowance, as every visitor does, costs the database nothing. From a part of it on
 * their uses are added up there.
 */
import type { LocalLimiter, Quota, RateLimiter, Usage } from './limiter.ts';

/** What all instances have counted together. */
export interface UsageStore {
  /** Adds `n` to what a key has used of its window of `per` ms, which begins with its first use. */
  add(key: string, n: number, window: { per: number; now: number }): Promise<Usage>;
  refund(key: string, n: number): Promise<void>;
  reset(key: string): Promise<void>;
  /**
   * One of at most `max` in any `per` ms, wherever those begin. Returns 0, or the milliseconds to wait,
   * and then it does not count.
   */
  join(key: string, allowance: Quota & { now: number }): Promise<number>;
  /** Takes back one that joined at this time. */
  leave(key: string, at: number): Promise<void>;
  /** Deletes what counts no more. */
  deleteExpired(now: number): Promise<void>;
}

/**
 * Which part of an allowance an address may use at each instance before the others are told, once at
 * least. Who comes to all in turn gets no more than the whole; who uses it up at one of them gets this part
 * once more at each of the others: at five instances half as much again.
 */
const ownPart = 1 / 8;

/**
 * @param own what this instance has counted
 * @param nameOf what a key is called in the database, where nobody is to read addresses
 * @param isStrict every single use is added up
 */
export function createSharedLimiter({
  own,
  uses,
  nameOf,
  now,
  isStrict = false,
}: {
  own: LocalLimiter;
  uses: UsageStore;
  nameOf: (key: string) => string;
  now: () => number;
  isStrict?: boolean;
}): RateLimiter {
  return {
    consume(key, { max, windowMs: per }, n = 1) {
      const { used, endsAt: ends } = own.count(key, per, n);
      // Whoever is known to be beyond it need not bother the database with more.
      if (used > max) return ends - now();
      const untold = isStrict ? 0 : Math.max(1, Math.floor(max * ownPart));
      if (used <= untold) return 0;
      const at = now();
      return uses.add(nameOf(key), used - n <= untold ? used : n, { per, now: at }).then(
        (all) => {
          // What another instance has forgiven is forgiven here, too.
          if (isStrict) own.set(key, all);
          return all.used > max ? Math.max(1, all.endsAt - at) : 0;
        },
        (error: unknown) => {
          // It is refused, and none: or whoever tries while the database is away is locked out afterwards.
          own.refund(key, n);
          throw error;
        },
      );
    },
    async refund(key, n = 1) {
      own.refund(key, n);
      await uses.refund(nameOf(key), n);
    },
    async reset(key) {
      own.reset(key);
      await uses.reset(nameOf(key));
    },
  };
}
