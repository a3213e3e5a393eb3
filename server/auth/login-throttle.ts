/**
 * Who may try a password, and how often: ninety wrong ones in any hour, wherever they come from.
 *
 * Strangers share most of them, so that ten thousand addresses guess no faster than one. That alone
 * would let anybody lock the owner out by using them up. So a browser that has signed in before has
 * an allowance of its own, which nobody else can touch; when that is used up it is a stranger.
 */
import { createHash } from 'node:crypto';
import type { Quota, RateLimiter } from '../rate-limit/limiter.ts';
import { sentences, TooManyRequests } from '../trpc/errors.ts';

/** How a guess is treated: as of a browser that has signed in before, or as of anybody. */
export type Bucket = 'known' | 'stranger';

const minute = 60_000;
const ofOneDevice = { max: 10, windowMs: 60 * minute };
const ofOneAddress = { max: 10, windowMs: 15 * minute };
const ofAllStrangers = { max: 90, windowMs: 60 * minute };

/** How long the fingerprint of the password is reused, in ms, so that many attempts cost few queries. */
const rereadAfter = 1000;

/** Names a password in the keys of counts. */
const fingerprintOf = (hash = '') =>
  createHash('sha256').update(hash).digest('base64url').slice(0, 16);

/** One try, counted as a wrong one until it is known to be none. */
interface LoginAttempt {
  lane: Bucket;
  /** It was not checked at all. */
  undo(): Promise<void>;
  /** It was right: whoever made it begins anew. */
  forgive(): Promise<void>;
}

export interface LoginThrottle {
  /** Counts a try, of a known device if it has one. Throws `TooManyRequests` when it may not be made. */
  consume(who: { addressBlock: string; device: string | undefined }): Promise<LoginAttempt>;
}

/** So many in any length of time, wherever it begins. */
export interface SlidingWindow {
  /** Counts one at this time under `key`. Returns 0, or the milliseconds to wait. */
  consume(key: string, at: number, allowance: Quota): number | Promise<number>;
  refund(key: string, at: number): void | Promise<void>;
}

/** Where tries are counted: each by itself, so that a flood of addresses drives out neither devices nor the sum. */
export interface AttemptCounts {
  devices: RateLimiter;
  addresses: RateLimiter;
  all: SlidingWindow;
}

/**
 * @param passwordHash that of the current password. Every count belongs to one password, so the
 * counts start at zero when the owner sets a new one
 */
export function createLoginThrottle(
  { devices, addresses, all }: AttemptCounts,
  { passwordHash, now }: { passwordHash: () => Promise<string | undefined>; now: () => number },
): LoginThrottle {
  let read = { at: Number.NEGATIVE_INFINITY, fingerprint: Promise.resolve('') };
  const currentFingerprint = () => {
    const age = now() - read.at;
    if (age < 0 || age >= rereadAfter) {
      read = { at: now(), fingerprint: passwordHash().then(fingerprintOf) };
    }
    return read.fingerprint;
  };

  return {
    async consume({ addressBlock, device }) {
      // A device is known under one password only, so its count needs no fingerprint.
      if (device !== undefined && (await devices.consume(device, ofOneDevice)) === 0) {
        return {
          lane: 'known',
          undo: async () => devices.refund(device),
          forgive: async () => devices.reset(device),
        };
      }
      const fingerprint = await currentFingerprint();
      const address = `${fingerprint} ${addressBlock}`;
      const wait = await addresses.consume(address, ofOneAddress);
      if (wait > 0) throw new TooManyRequests(wait, sentences.tooManyGuesses);
      const at = now();
      const longer = await counted(all, fingerprint, at).catch(async (error: unknown) => {
        // It was not checked, and is none.
        await addresses.refund(address);
        throw error;
      });
      if (longer > 0) {
        await addresses.refund(address);
        throw new TooManyRequests(longer, sentences.guessedElsewhere);
      }
      return {
        lane: 'stranger',
        async undo() {
          await addresses.refund(address);
          await all.refund(fingerprint, at);
        },
        async forgive() {
          await addresses.reset(address);
          await all.refund(fingerprint, at);
        },
      };
    },
  };
}

const counted = async (all: SlidingWindow, key: string, at: number) =>
  all.consume(key, at, ofAllStrangers);

/**
 * A sum in the memory of one instance, of one key at a time. Fixed windows would allow
 * nearly twice as many attempts around their ends.
 */
export function createSlidingWindow(): SlidingWindow {
  let current = '';
  let tries: number[] = [];
  return {
    consume(key, at, { max, windowMs: per }) {
      if (key !== current) [current, tries] = [key, []];
      // One from the future was made by a clock that has been put right since.
      tries = tries.filter((before) => before > at - per && before <= at);
      const [oldest = at] = tries;
      if (tries.length >= max) return oldest + per - at;
      tries.push(at);
      return 0;
    },
    refund(key, at) {
      const place = key === current ? tries.lastIndexOf(at) : -1;
      if (place >= 0) tries.splice(place, 1);
    },
  };
}
