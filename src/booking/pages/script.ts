/**
 * The inline script of the scheduler's pages, at most 1 kB. Without it they work, too: then times are in
 * the zone of the owner until the visitor changes it.
 */

/** Runs in the page: it may use nothing from outside. */
function enhance(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const url = new URL(location.href);
  // The server sets it on the first page, which is in the zone of the owner.
  const { asksZone } = document.documentElement.dataset;
  if (asksZone && timeZone && !url.searchParams.has('timeZone')) {
    url.searchParams.set('timeZone', timeZone);
    location.replace(url);
    return;
  }
  // A frame of the same site; `parent` is this window without one.
  const outer = parent.document;
  const dialog = frameElement?.closest('dialog');
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') dialog?.close();
  });
  addEventListener('submit', (event) => {
    const notice = (event.target as Element).querySelector<HTMLElement>('[data-offline]');
    // A second press sends it all the same: the browser can be wrong.
    if (navigator.onLine || !notice?.hidden) return;
    event.preventDefault();
    notice.hidden = false;
  });
  addEventListener('DOMContentLoaded', () => {
    const form = document.querySelector<HTMLFormElement>('form[method=post]');
    const fill = (name: string, value = '') => {
      const field = form?.elements.namedItem(name);
      if (field instanceof HTMLInputElement && !field.value) field.value = value;
    };
    fill('search', parent.location.search);
    fill('referrer', outer.referrer);
    fill('control', outer.documentElement.dataset.control);
    const show = () => {
      const chosen = document.querySelector('[name=start]:checked')?.getAttribute('aria-label');
      for (const place of document.querySelectorAll('[data-chosen]')) {
        if (chosen) place.textContent = chosen;
      }
    };
    form?.addEventListener('change', show);
    show();
  });
}

export const bookingScript = `(${enhance})()`;
