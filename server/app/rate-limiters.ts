/** Creates the rate limiters: in memory, or shared by all instances through PostgreSQL. */
import { createHmac } from 'node:crypto';
import {
  createLoginThrottle,
  createSlidingWindow,
  type SlidingWindow,
} from '../auth/login-throttle.ts';
import { createLocalLimiter, type RateLimiter } from '../rate-limit/limiter.ts';
import { createSharedLimiter } from '../rate-limit/shared-limiter.ts';
import type { UsageStore } from '../rate-limit/store.ts';

/**
 * @param uses the shared counts; undefined with a single instance
 * @param secret the same for all instances; it keys the HMAC that replaces addresses
 */
export function createRateLimiters({
  uses,
  secret,
  passwordHash,
  now,
}: {
  uses: UsageStore | undefined;
  secret: string;
  passwordHash: () => Promise<string | undefined>;
  now: () => number;
}) {
  const hashedKey = (what: string) => (key: string) =>
    createHmac('sha256', secret).update(`${what} ${key}`).digest('base64url');
  const limiterOf = (what: string, { isStrict = false } = {}): RateLimiter =>
    uses === undefined
      ? createLocalLimiter(now)
      : createSharedLimiter({
          local: createLocalLimiter(now),
          uses,
          hashKey: hashedKey(what),
          now,
          isStrict,
        });
  const devices = limiterOf('device', { isStrict: true });
  const addresses = limiterOf('login', { isStrict: true });
  const all =
    uses === undefined ? createSlidingWindow() : sharedWindow(uses, hashedKey('strangers'));
  return {
    limiter: limiterOf('call'),
    /** Counts messages and bookings only, so that other calls cannot displace its counts from memory. */
    messageLimiter: limiterOf('message'),
    loginThrottle: createLoginThrottle({ devices, addresses, all }, { passwordHash, now }),
    setupAttempts: limiterOf('setup', { isStrict: true }),
    /** Adds up the visitors of all instances; undefined with a single instance. */
    visitors: uses && limiterOf('visitor'),
  };
}

const sharedWindow = (uses: UsageStore, hashKey: (key: string) => string): SlidingWindow => ({
  consume: (key, at, quota) => uses.consumeAttempt(hashKey(key), { ...quota, now: at }),
  release: (key, at) => uses.releaseAttempt(hashKey(key), at),
});
