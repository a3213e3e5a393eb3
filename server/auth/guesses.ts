/**
 * Who may try a password, and how often: ninety wrong ones in any hour, wherever they come from.
 *
 * Strangers share most of them, so that ten thousand addresses guess no faster than one. That alone
 * would let anybody lock the owner out by using them up. So a browser that has signed in before has
 * an allowance of its own, which nobody else can touch; when that is used up it is a stranger.
 */
import { sentences, TooManyRequests } from '../errors.ts';
import { type Allowance, createLimiter } from '../limits.ts';

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
  undo(): void;
  /** It was right: whoever made it begins anew. */
  forgive(): void;
}

export interface Guesses {
  /** Counts a try, of a known device if it has one. Throws `TooManyRequests` when it may not be made. */
  take(who: { addressBlock: string; device: string | undefined }): Guess;
}

export function createGuesses(now: () => number): Guesses {
  // Each is bounded by itself: a flood of addresses drives out neither devices nor the sum of all.
  const [devices, addresses] = [createLimiter(now), createLimiter(now)];
  const all = createSum(ofAllStrangers);

  return {
    take({ addressBlock, device }) {
      if (device !== undefined && devices.take(device, ofOneDevice) === 0) {
        return {
          lane: 'known',
          undo: () => devices.giveBack(device),
          forgive: () => devices.clear(device),
        };
      }
      const wait = addresses.take(addressBlock, ofOneAddress);
      if (wait > 0) throw new TooManyRequests(wait, sentences.tooManyGuesses);
      const at = now();
      const longer = all.take(at);
      if (longer > 0) {
        addresses.giveBack(addressBlock);
        throw new TooManyRequests(longer, sentences.guessedElsewhere);
      }
      return {
        lane: 'stranger',
        undo() {
          addresses.giveBack(addressBlock);
          all.giveBack(at);
        },
        forgive() {
          addresses.clear(addressBlock);
          all.giveBack(at);
        },
      };
    },
  };
}

/**
 * So many in any length of time `per`, wherever it begins. Windows that begin anew would let nearly
 * twice as many through around their ends.
 */
function createSum({ max, per }: Allowance) {
  let tries: number[] = [];
  return {
    /** Counts one at this time. Returns 0, or the milliseconds to wait. */
    take(at: number): number {
      // One from the future was made by a clock that has been put right since.
      tries = tries.filter((before) => before > at - per && before <= at);
      const [oldest = at] = tries;
      if (tries.length >= max) return oldest + per - at;
      tries.push(at);
      return 0;
    },
    giveBack(at: number): void {
      const place = tries.lastIndexOf(at);
      if (place >= 0) tries.splice(place, 1);
    },
  };
}
