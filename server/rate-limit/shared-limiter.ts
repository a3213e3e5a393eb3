/**
 * Rate limiter over all instances. Each instance counts in memory first, so that ordinary traffic far
 * below a quota costs no database query; beyond a fraction of it the uses are added up in the database.
 */
import type { LocalLimiter, RateLimiter } from './limiter.ts';
import type { UsageStore } from './store.ts';

/**
 * The fraction of a quota, at least 1, that each instance grants before it uses the shared count. A
 * client that alternates between instances gets the quota; one that exhausts it at one instance gets
 * this fraction again at each other one: 50% more with five instances.
 */
const localFraction = 1 / 8;

/**
 * Creates a limiter over all instances.
 *
 * @param local counts of this instance
 * @param hashKey replaces a key in the database, so that no address is stored there
 * @param isStrict adds up every use in the database
 */
export function createSharedLimiter({
  local,
  uses,
  hashKey,
  now,
  isStrict = false,
}: {
  local: LocalLimiter;
  uses: UsageStore;
  hashKey: (key: string) => string;
  now: () => number;
  isStrict?: boolean;
}): RateLimiter {
  return {
    consume(key, { max, windowMs }, n = 1) {
      const { used, endsAt } = local.count(key, windowMs, n);
      // An exceeded quota needs no query, so a flood does not reach the database.
      if (used > max) return endsAt - now();
      const localMax = isStrict ? 0 : Math.max(1, Math.floor(max * localFraction));
      if (used <= localMax) return 0;
      const at = now();
      // The first query reports the uses that were counted only here.
      const unreported = used - n <= localMax ? used : n;
      return uses.add(hashKey(key), unreported, { windowMs, now: at }).then(
        (shared) => {
          // Another instance may have reset or released the count.
          if (isStrict) local.set(key, shared);
          return shared.used > max ? Math.max(1, shared.endsAt - at) : 0;
        },
        (error: unknown) => {
          // The call fails, so it does not count: retries during an outage must not exhaust the quota.
          local.release(key, n);
          throw error;
        },
      );
    },
    async release(key, n = 1) {
      local.release(key, n);
      await uses.release(hashKey(key), n);
    },
    async reset(key) {
      local.reset(key);
      await uses.reset(hashKey(key));
    },
  };
}
