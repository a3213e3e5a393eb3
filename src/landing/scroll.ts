/** What happens at the target of the URL's hash; `hash-script.ts` scrolls to it. */

/** Time after which the page begins to scroll to a new hash, in ms. */
const hashDelayMs = 100;

/**
 * Reveals and focuses the target of the URL's hash, on load and on each change. A link to the hash or the
 * page that is already open scrolls there.
 */
export function followHash(): void {
  const follow = () => setTimeout(arrive, hashDelayMs);
  addEventListener('hashchange', follow);
  if (location.hash) {
    follow();
    void scrollAfterFonts();
  }
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="/"]');
    const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || hasModifier || event.defaultPrevented) return;
    const isHere = link.pathname === '/' && location.pathname === '/' && !link.search;
    if (!isHere || (link.hash && link.hash !== location.hash)) return;
    event.preventDefault();
    if (link.hash) {
      targetOfHash()?.scrollIntoView();
      arrive();
    } else {
      if (location.hash) history.pushState(null, '', '/');
      scrollTo(0, 0);
    }
  });
}

/** Opens the answer or dialog that the hash names, and focuses its target. */
function arrive(): void {
  const target = targetOfHash();
  if (!target) return;
  if (target instanceof HTMLDialogElement) {
    if (!target.open) target.showModal();
    return;
  }
  const details = target.closest('details');
  if (details && !details.open) {
    // Closes the answer that was open, which can move this one.
    details.open = true;
    target.scrollIntoView();
  }
  takeFocus(target);
}

/** The element that the URL's hash names, if any. The ids of the page need no decoding. */
const targetOfHash = () => document.getElementById(location.hash.slice(1));

/**
 * Focuses `element` so that the next Tab continues from it. It shows no outline, since the visitor did
 * not choose it.
 */
function takeFocus(element: HTMLElement): void {
  if (element.contains(document.activeElement)) return;
  if (element.tabIndex < 0) {
    element.tabIndex = -1;
    element.style.outline = 'none';
  }
  element.focus({ preventScroll: true });
}

/**
 * Scrolls again once the fonts have loaded, since they shift the layout, unless the visitor has
 * interacted.
 */
async function scrollAfterFonts(): Promise<void> {
  const interaction = new AbortController();
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(type, () => interaction.abort(), { once: true, passive: true });
  }
  const { hash } = location;
  await document.fonts.ready;
  setTimeout(() => {
    if (interaction.signal.aborted || location.hash !== hash) return;
    targetOfHash()?.scrollIntoView();
  }, hashDelayMs);
}
