/** Scrolling to what the address names. */

/** Height at the top that the sticky header covers, and how long a hash waits, in px and ms. */
const headerOffset = 80;
const hashDelay = 100;

/**
 * Follows the hash of the address, now and whenever it changes: after 100 ms the element is 80 px
 * below the top, or on its way there, and has the focus. A link to the page itself scrolls to its top.
 */
export function followHash(): void {
  const follow = () => setTimeout(showTarget, hashDelay);
  addEventListener('hashchange', follow);
  if (location.hash) {
    follow();
    void followFonts();
  }
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href="/"]');
    const wantsOther = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || wantsOther || event.defaultPrevented || location.pathname !== '/') return;
    event.preventDefault();
    if (location.hash) history.pushState(null, '', '/');
    scroll(0);
  });
}

const scroll = (top: number) => {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top, behavior: isStill ? 'instant' : 'smooth' });
};

function showTarget(): void {
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

/** The element a hash names. A hash that cannot be decoded names nothing. */
function targetOf(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Lets the next Tab go on from `element`. No outline shows, for nobody chose it. */
function takeFocus(element: HTMLElement): void {
  if (element.contains(document.activeElement)) return;
  if (element.tabIndex < 0) {
    element.tabIndex = -1;
    element.style.outline = 'none';
  }
  element.focus({ preventScroll: true });
}

/** Fonts that arrive late move what is below them: the target is shown again, unless the visitor moved. */
async function followFonts(): Promise<void> {
  const moved = new AbortController();
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'hashchange']) {
    addEventListener(type, () => moved.abort(), { once: true, passive: true });
  }
  await document.fonts.ready;
  setTimeout(() => {
    if (!moved.signal.aborted) showTarget();
  }, hashDelay);
}
