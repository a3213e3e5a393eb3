/**
 * The part of the landing page's inline script that scrolls to the hash of a URL 100 ms after the page has
 * loaded. Without it the browser scrolls while the page loads.
 */

/** Runs in the page: it may use nothing from outside. */
function scrollToHash(): void {
  const { hash, pathname, search } = location;
  if (!hash) return;
  history.replaceState(history.state, '', pathname + search);
  const restore = () => {
    history.replaceState(history.state, '', hash);
    document.getElementById(hash.slice(1))?.scrollIntoView();
    dispatchEvent(new Event('hashchange'));
  };
  addEventListener('DOMContentLoaded', () => setTimeout(restore, 100));
}

export const hashScript = `(${scrollToHash})();`;
