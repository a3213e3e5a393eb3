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
  // Without a network a form is not sent and a link not followed, which would lose what was typed.
  let isWaiting = false;
  const whenOnline = async (event: Event, proceed: () => void) => {
    event.preventDefault();
    if (isWaiting) return;
    isWaiting = true;
    // Safari before 16 has no such timeout.
    const signal = AbortSignal.timeout?.(8000);
    const isOnline = await fetch('/', { method: 'HEAD', cache: 'no-store', signal }).then(
      () => true,
      () => false,
    );
    isWaiting = false;
    for (const notice of document.querySelectorAll<HTMLElement>('[data-offline]')) {
      notice.hidden = isOnline;
    }
    if (isOnline) proceed();
  };
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    void whenOnline(event, () => form.submit());
  });
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(
      'a:not([target], [download])',
    );
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    void whenOnline(event, () => location.assign(link.href));
  });
  addEventListener('DOMContentLoaded', () => {
    const form = document.querySelector<HTMLFormElement>('form[method=post]');
    const fill = (name: string, value = '') => {
      const field = form?.elements.namedItem(name);
      if (field instanceof HTMLInputElement && !field.value) field.value = value;
    };
    fill('search', parent.location.search);
    fill('referrer', outer.referrer);
    fill('button', outer.documentElement.dataset.button);
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
