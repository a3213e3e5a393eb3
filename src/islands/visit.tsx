/**
 * An island without markup or React: everything the page does only for a visitor who interacts. It is
 * separate from the boot script to keep that small.
 */

import { recordAttribution } from '../attribution/attribution.ts';
import { watchFrames } from '../booking/frame-watch.ts';
import { preconnectOnIntent } from '../booking/preconnect.ts';
import { manageMenus } from '../landing/menus.ts';
import { followHash } from '../landing/scroll.ts';
import { openQuizOnce } from '../quiz/opening.ts';

export const name = 'visit';

export const Component = () => null;

/** Starts attribution, menus, scrolling to hashes, the quiz, and calendar preconnect and monitoring. */
export async function mount(): Promise<void> {
  recordAttribution();
  manageMenus();
  followHash();
  openQuizOnce();
  preconnectOnIntent();
  watchFrames();
}
