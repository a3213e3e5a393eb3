/**
 * The part of the landing page's inline script that scrolls to the target of the URL's hash 100 ms after the
 * page has loaded or the hash has changed. Without it the browser scrolls at once.
 */

/** Runs in the page: it may use nothing from outside. */
function scrollToHash(): void {
  const delayMs = 100;
  // The ids of the page need no decoding.
  const targetOf = (hash: string) => document.getElementById(hash.slice(1));
  const scroll = () => targetOf(location.hash)?.scrollIntoView();
  const dispatch = () => dispatchEvent(new Event('hashchange'));

  const { hash, pathname, search } = location;
  if (hash) {
    // While a page loads, the browser scrolls to the hash of its URL.
    history.replaceState(history.state, '', pathname + search);
    const restore = () => {
      // The visitor has followed another link meanwhile.
      if (location.hash) return;
      history.replaceState(history.state, '', hash);
      scroll();
      dispatch();
    };
    addEventListener('DOMContentLoaded', () => setTimeout(restore, delayMs));
  }

  // Firefox before 147 and Safari before 26.2 lack it.
  window.navigation?.addEventListener('navigate', (event) => {
    if (!event.hashChange || !event.canIntercept) return;
    const target = targetOf(new URL(event.destination.url).hash);
    // The browser moves the keyboard on at once, which the skip link is for.
    if (!target || target.matches('main')) return;
    event.intercept({
      scroll: 'manual',
      focusReset: 'manual',
      async handler() {
        // The browser dispatches none for an intercepted navigation.
        dispatch();
        setTimeout(scroll, delayMs);
      },
    });
  });
}

export const hashScript = `(${scrollToHash})();`;
