/**
 * The script that a prerendered page loads on its own. It is small and has no React: dialogs,
 * menus and the form work before it. No other entry may import its modules, or the bundler would
 * split it into two files.
 */

import { recordActivity } from '../api/activity.ts';
import { fillOpenDialogs } from '../booking/frames.ts';
import { polyfillInvokers } from '../ui/native-dialogs.ts';
import { afterLoad } from './after-load.ts';
import { hydrateIslands } from './hydrate.ts';

polyfillInvokers();
fillOpenDialogs();
const hydrate = hydrateIslands();

// Code that only an interacting visitor needs is loaded on the first interaction.
const loadVisit = () => hydrate('visit');
for (const type of ['pointerover', 'touchstart', 'focusin', 'keydown', 'scroll', 'hashchange']) {
  addEventListener(type, loadVisit, { once: true, passive: true });
}
// `quiz/opening.ts` watches this once it has loaded.
document.addEventListener(
  'mouseleave',
  ({ clientY, relatedTarget }) => {
    if (clientY <= 0 && !relatedTarget) document.documentElement.dataset.left = '';
  },
  true,
);
// The visitor may have scrolled, or opened a dialog or menu, before this script loaded.
const isInUse = scrollY > 0 || document.querySelector(':is(dialog[open], :popover-open)');
if (location.hash || isInUse) void loadVisit();
// A referral is stored even if the visitor does not interact (`attribution/attribution.ts`), after the
// load has left the network and the main thread idle.
const referralDelayMs = 2500;
if (location.search || document.referrer) afterLoad(loadVisit, referralDelayMs);

// A photo near the window stays painted from then on, also in a print or screenshot of the whole page.
addEventListener('contentvisibilityautostatechange', (event) => {
  const { target, skipped } = event as ContentVisibilityAutoStateChangeEvent;
  if (!skipped) (target as HTMLElement).style.contentVisibility = 'visible';
});
if (document.documentElement.dataset.page === 'home') recordActivity();
