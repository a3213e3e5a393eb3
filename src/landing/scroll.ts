/** Scrolling to the target of the URL's hash. */

/** Height at the top that the sticky header covers, in px. */
const headerOffset = 80;

const hashDelayMs = 100;

/**
 * Scrolls to the target of the URL's hash on load and on each change, after 100 ms, to 80 px below
 * the top of the window, and focuses it. A link to the page itself scrolls to the top.
 */
export function followHash(): void {
  const follow = () => setTimeout(scrollToTarget, hashDelayMs);
  addEventListener('hashchange', follow);
  if (location.hash) {
    follow();
    void scrollAfterFonts();
  }
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href="/"]');
    const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || hasModifier || event.defaultPrevented || location.pathname !== '/') return;
    event.preventDefault();
    if (location.hash) history.pushState(null, '', '/');
    scroll(0);
  });
}

const scroll = (top: number) => {
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top, behavior: prefersReducedMotion ? 'instant' : 'smooth' });
};

function scrollToTarget(): void {
  const target = targetOf(location.hash);
  if (!target) return;
  if (target instanceof HTMLDialogElement) {
    if (!target.open) target.showModal();
    return;
  }
  const details = target.closest('details');
  if (details) details.open = true;
  scroll(target.getBoundingClientRect().top + scrollY - headerOffset);
  takeFocus(target);
}

/** The element that `hash` names; null if it names none or cannot be decoded. */
function targetOf(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

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
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'hashchange']) {
    addEventListener(type, () => interaction.abort(), { once: true, passive: true });
  }
  await document.fonts.ready;
  setTimeout(() => {
    if (!interaction.signal.aborted) scrollToTarget();
  }, hashDelayMs);
}
