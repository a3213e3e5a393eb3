/**
 * An island without markup or React: everything the page does only for a visitor who interacts. It is
 * separate from the boot script to keep that small.
 */

import { recordAttribution } from '../attribution/attribution.ts';
import { watchFrames } from '../booking/frame-watch.ts';
import { passVisit } from '../booking/pass-visit.ts';
import { preconnectOnIntent } from '../booking/preconnect.ts';
import { manageMenus } from '../landing/menus.ts';
import { followHash } from '../landing/scroll.ts';
import { openQuizOnce } from '../quiz/opening.ts';
import { ignoreHeldEnter } from '../ui/held-enter.ts';

export const name = 'visit';

export const Component = () => null;

const parts = [
  recordAttribution,
  manageMenus,
  followHash,
  openQuizOnce,
  ignoreHeldEnter,
  passVisit,
  preconnectOnIntent,
  watchFrames,
];

/** Starts attribution, menus, scrolling to hashes, the quiz, the keyboard, and what calendars need. */
export async function mount(): Promise<void> {
  for (const start of parts) {
    try {
      start();
    } catch (error) {
      // An old browser may lack what one part needs: the others still start.
      console.error(error);
    }
  }
}
