/**
 * Login throttle. All unknown browsers together share 90 failed attempts within any hour, so that a
 * brute-force attack from many addresses is as slow as one from a single address.
 *
 * A browser that has signed in before has a quota of its own, so that an attacker cannot lock the
 * owner out by using up the shared one. After that quota it counts as a stranger.
 */
import { createHash } from 'node:crypto';
import { cachedLoad } from '../cached-load.ts';
import type { Quota, RateLimiter } from '../rate-limit/limiter.ts';
import { hourMs, minuteMs } from '../time/units.ts';
import { ApiError, refuse } from '../trpc/errors.ts';

/** The quota that an attempt counts against: that of its known device, or that of all strangers. */
export type Bucket = 'known' | 'stranger';

const deviceQuota = { max: 10, windowMs: hourMs };
const addressQuota = { max: 10, windowMs: 15 * minuteMs };
const strangersQuota = { max: 90, windowMs: hourMs };

/** How long the password's fingerprint is cached, in ms, so that many attempts cost few queries. */
const fingerprintMaxAge = 1000;

/** Identifies a password in the keys of counts. */
const fingerprintOf = (hash = '') =>
  createHash('sha256').update(hash).digest('base64url').slice(0, 16);

/** A login attempt. It counts as failed until one of its functions is called. */
interface LoginAttempt {
  bucket: Bucket;
  /** Removes the attempt from the counts, for a password that was not checked. */
  release(): Promise<void>;
  /** Resets the client's count, after a right password. */
  reset(): Promise<void>;
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/** Counts uses in a sliding window. */
export interface SlidingWindow {
  /** Counts a use at this time. Returns 0, or the milliseconds to wait; then it does not count. */
  consume(key: string, at: number, quota: Quota): number | Promise<number>;
  /** Removes a use that was counted at this time. */
  release(key: string, at: number): void | Promise<void>;
}

/** The counts of the throttle, stored apart so that a flood of addresses evicts no other count. */
export interface AttemptCounts {
  devices: RateLimiter;
  addresses: RateLimiter;
  all: SlidingWindow;
}

/**
 * Creates the login throttle.
 *
 * @param passwordHash reads the hash of the current password. Counts belong to one password, so they
 * start at zero when the owner sets a new one
 */
export function createLoginThrottle(
  { devices, addresses, all }: AttemptCounts,
  { passwordHash, now }: { passwordHash: () => Promise<string | undefined>; now: () => number },
) {
  const currentFingerprint = cachedLoad(async () => fingerprintOf(await passwordHash()), {
    maxAgeMs: fingerprintMaxAge,
    now,
  });
  const consumeShared = async (fingerprint: string, at: number) =>
    all.consume(fingerprint, at, strangersQuota);

  return {
    /**
     * Counts an attempt, against the quota of the known `device` if that has uses left. Throws
     * `LOGIN_RATE_LIMITED` when the quota is exceeded.
     */
    async consume({
      addressBlock,
      device,
    }: {
      addressBlock: string;
      device: string | undefined;
    }): Promise<LoginAttempt> {
      // A device id is valid for one password only, so its key needs no fingerprint.
      if (device !== undefined && (await devices.consume(device, deviceQuota)) === 0) {
        return {
          bucket: 'known',
          release: async () => devices.release(device),
          reset: async () => devices.reset(device),
        };
      }
      const fingerprint = await currentFingerprint.read();
      const address = `${fingerprint} ${addressBlock}`;
      const addressWait = await addresses.consume(address, addressQuota);
      refuse(addressWait, 'LOGIN_RATE_LIMITED');
      const at = now();
      const sharedWait = await consumeShared(fingerprint, at).catch(async (error: unknown) => {
        // The password was not checked, so the attempt does not count.
        await addresses.release(address);
        throw error;
      });
      if (sharedWait > 0) {
        await addresses.release(address);
        throw new ApiError('LOGIN_RATE_LIMITED_FOR_ALL', { wait: sharedWait });
      }
      return {
        bucket: 'stranger',
        async release() {
          await addresses.release(address);
          await all.release(fingerprint, at);
        },
        async reset() {
          await addresses.reset(address);
          await all.release(fingerprint, at);
        },
      };
    },
  };
}

/**
 * Creates a sliding window in memory, of one key at a time. A fixed window would allow nearly twice
 * as many attempts around its boundary.
 */
export function createSlidingWindow(): SlidingWindow {
  let currentKey = '';
  let attempts: number[] = [];
  return {
    consume(key, at, { max, windowMs }) {
      if (key !== currentKey) [currentKey, attempts] = [key, []];
      // An attempt in the future was counted before the clock was set back.
      attempts = attempts.filter((earlier) => earlier > at - windowMs && earlier <= at);
      const [oldest = at] = attempts;
      if (attempts.length >= max) return oldest + windowMs - at;
      attempts.push(at);
      return 0;
    },
    release(key, at) {
      const index = key === currentKey ? attempts.lastIndexOf(at) : -1;
      if (index >= 0) attempts.splice(index, 1);
    },
  };
}
