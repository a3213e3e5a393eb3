/**
 * Nothing to see, and no React: what the page does for a visitor who moves. It is no part of the boot
 * script, so that this stays small.
 */

import { recordTouches } from '../attribution/attribution.ts';
import { watchFrames } from '../booking/frame-watch.ts';
import { preconnectOnIntent } from '../booking/preconnect.ts';
import { manageMenus } from '../landing/menus.ts';
import { followHash } from '../landing/scroll.ts';
import { openQuizOnce } from '../quiz/opening.ts';

export const name = 'visit';

export const Component = () => null;

export async function mount(): Promise<void> {
  recordTouches();
  manageMenus();
  followHash();
  openQuizOnce();
  preconnectOnIntent();
  watchFrames();
}
