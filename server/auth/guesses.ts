/**
 * Who may try a password, and how often: a hundred wrong ones an hour, wherever they come from.
 *
 * Strangers share most of them, so that ten thousand addresses guess no faster than one. That alone
 * would let anybody lock the owner out by using them up. So a browser that has signed in before has
 * an allowance of its own, which nobody else can touch; when that is used up it is a stranger.
 */
import { sentences, TooManyRequests } from '../errors.ts';
import { createLimiter } from '../limits.ts';

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
  const [devices, addresses, sum] = [createLimiter(now), createLimiter(now), createLimiter(now)];

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
      const longer = sum.take('all', ofAllStrangers);
      if (longer > 0) {
        addresses.giveBack(addressBlock);
        throw new TooManyRequests(longer, sentences.guessedElsewhere);
      }
      return {
        lane: 'stranger',
        undo() {
          addresses.giveBack(addressBlock);
          sum.giveBack('all');
        },
        forgive() {
          addresses.clear(addressBlock);
          sum.giveBack('all');
        },
      };
    },
  };
}
