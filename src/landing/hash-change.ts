const hashDelayMs = 100;

/** The element that a hash names, if any. The ids of the page need no decoding. */
const targetOf = (hash: string) => document.getElementById(hash.slice(1));

/**
 * Delays the scroll to the target of a new hash, which the browser would begin at once. Browsers without the
 * Navigation API still do: Firefox before 147 and Safari before 26.2.
 */
export function delayHashScroll(): void {
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
        dispatchEvent(new Event('hashchange'));
        setTimeout(() => targetOf(location.hash)?.scrollIntoView(), hashDelayMs);
      },
    });
  });
}
