/**
 * Who may try a password, and how often: ninety wrong ones in any hour, wherever they come from.
 *
 * Strangers share most of them, so that ten thousand addresses guess no faster than one. That alone
 * would let anybody lock the owner out by using them up. So a browser that has signed in before has
 * an allowance of its own, which nobody else can touch; when that is used up it is a stranger.
 */
import { createHash } from 'node:crypto';
import type { Allowance, Limiter } from '../rate-limit/limiter.ts';
import { sentences, TooManyRequests } from '../trpc/errors.ts';

/** How a guess is treated: as of a browser that has signed in before, or as of anybody. */
export type Lane = 'known' | 'stranger';

const minute = 60_000;
const ofOneDevice = { max: 10, per: 60 * minute };
const ofOneAddress = { max: 10, per: 15 * minute };
const ofAllStrangers = { max: 90, per: 60 * minute };

/** How long the fingerprint of the password is reused, in ms, so that many attempts cost few queries. */
const rereadAfter = 1000;

/** Names a password in the keys of counts. */
const fingerprintOf = (hash = '') =>
  createHash('sha256').update(hash).digest('base64url').slice(0, 16);

/** One try, counted as a wrong one until it is known to be none. */
interface Guess {
  lane: Lane;
  /** It was not checked at all. */
  undo(): Promise<void>;
  /** It was right: whoever made it begins anew. */
  forgive(): Promise<void>;
}

export interface Guesses {
  /** Counts a try, of a known device if it has one. Throws `TooManyRequests` when it may not be made. */
  take(who: { addressBlock: string; device: string | undefined }): Promise<Guess>;
}

/** So many in any length of time, wherever it begins. */
export interface Sum {
  /** Counts one at this time under `key`. Returns 0, or the milliseconds to wait. */
  take(key: string, at: number, allowance: Allowance): number | Promise<number>;
  giveBack(key: string, at: number): void | Promise<void>;
}

/** Where tries are counted: each by itself, so that a flood of addresses drives out neither devices nor the sum. */
export interface GuessCounts {
  devices: Limiter;
  addresses: Limiter;
  all: Sum;
}

/**
 * @param passwordHash that of the current password. Every count belongs to one password, so the
 * counts start at zero when the owner sets a new one
 */
export function createGuesses(
  { devices, addresses, all }: GuessCounts,
  { passwordHash, now }: { passwordHash: () => Promise<string | undefined>; now: () => number },
): Guesses {
  let read = { at: Number.NEGATIVE_INFINITY, fingerprint: Promise.resolve('') };
  const currentFingerprint = () => {
    const age = now() - read.at;
    if (age < 0 || age >= rereadAfter) {
      read = { at: now(), fingerprint: passwordHash().then(fingerprintOf) };
    }
    return read.fingerprint;
  };

  return {
    async take({ addressBlock, device }) {
      // A device is known under one password only, so its count needs no fingerprint.
      if (device !== undefined && (await devices.take(device, ofOneDevice)) === 0) {
        return {
          lane: 'known',
          undo: async () => devices.giveBack(device),
          forgive: async () => devices.clear(device),
        };
      }
      const fingerprint = await currentFingerprint();
      const address = `${fingerprint} ${addressBlock}`;
      const wait = await addresses.take(address, ofOneAddress);
      if (wait > 0) throw new TooManyRequests(wait, sentences.tooManyGuesses);
      const at = now();
      const longer = await counted(all, fingerprint, at).catch(async (error: unknown) => {
        // It was not checked, and is none.
        await addresses.giveBack(address);
        throw error;
      });
      if (longer > 0) {
        await addresses.giveBack(address);
        throw new TooManyRequests(longer, sentences.guessedElsewhere);
      }
      return {
        lane: 'stranger',
        async undo() {
          await addresses.giveBack(address);
          await all.giveBack(fingerprint, at);
        },
        async forgive() {
          await addresses.clear(address);
          await all.giveBack(fingerprint, at);
        },
      };
    },
  };
}

const counted = async (all: Sum, key: string, at: number) => all.take(key, at, ofAllStrangers);

/**
 * A sum in the memory of one instance, of one key at a time. Fixed windows would allow
 * nearly twice as many attempts around their ends.
 */
export function createSum(): Sum {
  let current = '';
  let tries: number[] = [];
  return {
    take(key, at, { max, per }) {
      if (key !== current) [current, tries] = [key, []];
      // One from the future was made by a clock that has been put right since.
      tries = tries.filter((before) => before > at - per && before <= at);
      const [oldest = at] = tries;
      if (tries.length >= max) return oldest + per - at;
      tries.push(at);
      return 0;
    },
    giveBack(key, at) {
      const place = key === current ? tries.lastIndexOf(at) : -1;
      if (place >= 0) tries.splice(place, 1);
    },
  };
}
