import type { Inputs } from '../../server/contract/api.ts';
import type { routes } from '../../server/contract/routes.ts';
import { afterLoad } from '../after-load.ts';
import { closest } from '../ui/closest.ts';

type Activity = Inputs['analytics']['record'];

// The table's own text, checked by type: the table itself stays out of the boot script.
const address: (typeof routes)['analytics.record']['path'] = '/api/activity';

/** Sends and forgets: nobody waits for the answer, and it outlives the page. */
function record(activity: Activity): void {
  const body = new Blob([JSON.stringify(activity)], { type: 'application/json' });
  if (navigator.sendBeacon?.(address, body)) return;
  fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {});
}

/**
 * Records that the page was seen, once and not before somebody can see it, and each press of a
 * call-to-action (`data-cta`). Records nothing of a visitor who asked for privacy.
 */
export function recordActivity(): void {
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) return;

  let isSeen = false;
  const see = () => {
    if (isSeen || document.hidden || (document as { prerendering?: boolean }).prerendering) return;
    isSeen = true;
    record({ type: 'page_view' });
  };
  afterLoad(see);
  // Whoever leaves before the page has loaded has seen it all the same.
  for (const type of ['visibilitychange', 'prerenderingchange', 'pagehide']) {
    addEventListener(type, see, true);
  }

  addEventListener(
    'click',
    ({ target }) => {
      const control = closest(target, '[data-cta]')?.dataset.cta;
      if (control) record({ type: 'cta_click', control: control as Activity['control'] });
    },
    true,
  );
}
