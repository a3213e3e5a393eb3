import type { Inputs } from '../../server/contract/api.ts';
import type { routes } from '../../server/contract/routes.ts';
import { afterLoad } from '../boot/after-load.ts';
import { closest } from '../ui/closest.ts';

type Activity = Inputs['analytics']['record'];

// The table's own text, checked by type: the table itself stays out of the boot script.
const address: (typeof routes)['analytics.record']['path'] = '/api/activity';

/** Sends and forgets: nobody waits for the answer, and it outlives the page. */
function record(type: Activity['type'], control?: string): void {
  // Where the visitor is from; the server makes a name of it and keeps nothing else.
  const circumstances = wantsPrivacy()
    ? { privacy: true }
    : {
        control: control as Activity['control'],
        search: location.search,
        referrer: document.referrer,
        automated: navigator.webdriver || undefined,
      };
  const activity: Activity = { type, ...circumstances };
  const body = new Blob([JSON.stringify(activity)], { type: 'application/json' });
  if (navigator.sendBeacon?.(address, body)) return;
  fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {});
}

const wantsPrivacy = () => (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;

/**
 * Records that the page was seen, once and not before somebody can see it, each press of a
 * call-to-action (`data-cta`) and each booking. Of a visitor who asked for privacy the server learns
 * that there was one, and nothing else.
 */
export function recordActivity(): void {
  let isSeen = false;
  const see = () => {
    if (isSeen || document.hidden || (document as { prerendering?: boolean }).prerendering) return;
    isSeen = true;
    record('page_view');
  };
  afterLoad(see);
  // Whoever leaves before the page has loaded has seen it all the same.
  for (const type of ['visibilitychange', 'prerenderingchange', 'pagehide']) {
    addEventListener(type, see, true);
  }

  if (wantsPrivacy()) return;
  addEventListener('booked', () => record('call_booked'));
  addEventListener(
    'click',
    ({ target }) => {
      const control = closest(target, '[data-cta]')?.dataset.cta;
      if (control) record('cta_click', control);
    },
    true,
  );
}
