/**
 * Who may try a password, and how often: ninety wrong ones in any hour, wherever they come from.
 *
 * Strangers share most of them, so that ten thousand addresses guess no faster than one. That alone
 * would let anybody lock the owner out by using them up. So a browser that has signed in before has
 * an allowance of its own, which nobody else can touch; when that is used up it is a stranger.
 */
import { sentences, TooManyRequests } from '../errors.ts';
import type { Allowance, Limiter } from '../limits.ts';

/** How a guess is treated: as of a browser that has signed in before, or as of anybody. */
export type Lane = 'known' | 'stranger';

const minute = 60_000;
const ofOneDevice = { max: 10, per: 60 * minute };
const ofOneAddress = { max: 10, per: 15 * minute };
const ofAllStrangers = { max: 90, per: 60 * minute };

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
  /** Counts one at this time. Returns 0, or the milliseconds to wait. */
  take(at: number, allowance: Allowance): number | Promise<number>;
  giveBack(at: number): void | Promise<void>;
}

/** Where tries are counted: each by itself, so that a flood of addresses drives out neither devices nor the sum. */
export interface GuessCounts {
  devices: Limiter;
  addresses: Limiter;
  all: Sum;
}

export function createGuesses(
  { devices, addresses, all }: GuessCounts,
  now: () => number,
): Guesses {
  return {
    async take({ addressBlock, device }) {
      if (device !== undefined && (await devices.take(device, ofOneDevice)) === 0) {
        return {
          lane: 'known',
          undo: async () => devices.giveBack(device),
          forgive: async () => devices.clear(device),
        };
      }
      const wait = await addresses.take(addressBlock, ofOneAddress);
      if (wait > 0) throw new TooManyRequests(wait, sentences.tooManyGuesses);
      const at = now();
      const longer = await counted(all, at).catch(async (error: unknown) => {
        // It was not checked, and is none.
        await addresses.giveBack(addressBlock);
        throw error;
      });
      if (longer > 0) {
        await addresses.giveBack(addressBlock);
        throw new TooManyRequests(longer, sentences.guessedElsewhere);
      }
      return {
        lane: 'stranger',
        async undo() {
          await addresses.giveBack(addressBlock);
          await all.giveBack(at);
        },
        async forgive() {
          await addresses.clear(addressBlock);
          await all.giveBack(at);
        },
      };
    },
  };
}

const counted = async (all: Sum, at: number) => all.take(at, ofAllStrangers);

/**
 * A sum in the memory of one instance. Windows that begin anew would let nearly twice as many through
 * around their ends.
 */
export function createSum(): Sum {
  let tries: number[] = [];
  return {
    take(at, { max, per }) {
      // One from the future was made by a clock that has been put right since.
      tries = tries.filter((before) => before > at - per && before <= at);
      const [oldest = at] = tries;
      if (tries.length >= max) return oldest + per - at;
      tries.push(at);
      return 0;
    },
    giveBack(at) {
      const place = tries.lastIndexOf(at);
      if (place >= 0) tries.splice(place, 1);
    },
  };
}
