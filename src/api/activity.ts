import type { Inputs } from '../../server/contract/api.ts';
import type { routes } from '../../server/contract/routes.ts';
import { afterLoad } from '../boot/after-load.ts';
import { closest } from '../ui/native-dialogs.ts';

type Activity = Inputs['analytics']['record'];

// Typed by the route table instead of imported from it, which keeps the table out of the boot script.
const address: (typeof routes)['analytics.record']['path'] = '/api/activity';

/** Sends an event without waiting for the response. The request survives the page's unload. */
function record(type: Activity['type'], button?: string): void {
  // The server derives the source and its campaign from these and stores nothing else.
  const details = wantsPrivacy()
    ? { privacy: true }
    : {
        button: button as Activity['button'],
        search: location.search,
        referrer: document.referrer,
        automated: navigator.webdriver || undefined,
      };
  const activity: Activity = { type, ...details };
  const body = new Blob([JSON.stringify(activity)], { type: 'application/json' });
  if (navigator.sendBeacon?.(address, body)) return;
  fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {});
}

const wantsPrivacy = () => (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;

/**
 * Records one page view once the page is visible, each click on a call to action (`data-cta`) and
 * each booking. With Global Privacy Control only the excluded page view is sent.
 */
export function recordActivity(): void {
  let isSeen = false;
  const see = () => {
    if (isSeen || document.hidden || (document as { prerendering?: boolean }).prerendering) return;
    isSeen = true;
    record('page_view');
  };
  afterLoad(see);
  // Count visitors who leave before the load event too.
  for (const type of ['visibilitychange', 'prerenderingchange', 'pagehide']) {
    addEventListener(type, see, true);
  }

  if (wantsPrivacy()) return;
  addEventListener('booked', () => record('call_booked'));
  addEventListener(
    'click',
    ({ target }) => {
      const button = closest(target, '[data-cta]')?.dataset.cta;
      if (!button) return;
      // The site's own scheduler, in a frame of this page, reads it.
      document.documentElement.dataset.button = button;
      record('cta_click', button);
    },
    true,
  );
}
