/** Creates the rate limiters: in memory, or shared by all instances through PostgreSQL. */
import { createHmac } from 'node:crypto';
import {
  type AttemptCounts,
  createLoginThrottle,
  createSlidingWindow,
  type LoginThrottle,
} from '../auth/login-throttle.ts';
import { createLocalLimiter, type RateLimiter } from '../rate-limit/limiter.ts';
import { createSharedLimiter, type UsageStore } from '../rate-limit/shared-limiter.ts';

export interface RateLimiters {
  limiter: RateLimiter;
  /** Counts contact messages only, so that other calls cannot displace its counts from memory. */
  messageLimiter: RateLimiter;
  loginThrottle: LoginThrottle;
  /** Adds up the visitors of all instances; undefined with a single instance. */
  visitors: RateLimiter | undefined;
}

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
}): RateLimiters {
  const options = { passwordHash, now };
  if (uses === undefined) {
    const counts = {
      devices: createLocalLimiter(now),
      addresses: createLocalLimiter(now),
      all: createSlidingWindow(),
    };
    return {
      limiter: createLocalLimiter(now),
      messageLimiter: createLocalLimiter(now),
      loginThrottle: createLoginThrottle(counts, options),
      visitors: undefined,
    };
  }
  const hashedKey = (what: string) => (key: string) =>
    createHmac('sha256', secret).update(`${what} ${key}`).digest('base64url');
  const shared = (what: string, { isStrict = false } = {}) =>
    createSharedLimiter({
      local: createLocalLimiter(now),
      uses,
      hashKey: hashedKey(what),
      now,
      isStrict,
    });
  const strangers = hashedKey('strangers');
  const counts: AttemptCounts = {
    devices: shared('device', { isStrict: true }),
    addresses: shared('guess', { isStrict: true }),
    all: {
      consume: (key, at, quota) => uses.consumeAttempt(strangers(key), { ...quota, now: at }),
      refund: (key, at) => uses.refundAttempt(strangers(key), at),
    },
  };
  return {
    limiter: shared('call'),
    messageLimiter: shared('message'),
    loginThrottle: createLoginThrottle(counts, options),
    visitors: shared('visitor'),
  };
}
