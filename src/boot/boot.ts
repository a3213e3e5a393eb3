/**
 * The one script a prerendered page runs by itself. It is small, waits for nothing, and holds no
 * React: dialogs, menus and the form are there before it. What it imports may be imported by nothing
 * else, or the bundler would make two files of it.
 */

import { recordActivity } from '../api/activity.ts';
import { fillOpenDialogs } from '../booking/frames.ts';
import { addOptInScript } from '../landing/opt-in.ts';
import { armQuiz } from '../quiz/trigger.ts';
import { standInForInvokers } from '../ui/invoker-fallback.ts';
import { afterLoad } from './after-load.ts';
import { hydrateIslands, prefetchDelayMs } from './hydrate.ts';

standInForInvokers();
fillOpenDialogs();
const wake = hydrateIslands();

// What only matters to somebody who moves comes with the first move.
const visit = () => wake('visit');
for (const type of ['pointerover', 'touchstart', 'focusin', 'keydown']) {
  addEventListener(type, visit, { once: true, passive: true });
}
addEventListener('hashchange', visit, { once: true });
// A dialog or a menu may have been opened before this script came, by a move that nobody saw.
if (location.hash || document.querySelector(':is(dialog[open], :popover-open)')) void visit();
// Who sent a visitor is remembered, even of one who only looks (`attribution/attribution.ts`).
if (location.search || document.referrer) afterLoad(visit, prefetchDelayMs);

armQuiz(visit);
if (document.documentElement.dataset.page === 'home') recordActivity();
addOptInScript();
