/** Opens the triggered quiz popup at a moment that does not interrupt the visitor. */

const storageKey = 'quiz-shown';

/**
 * Opens `<dialog id="quiz">` on the event `quiz`, or when the visitor next leaves the dialog, menu or
 * field they are in or the scroll to a section ends. Opens once until the page is reloaded, and never
 * after a message was sent.
 */
export function openQuizOnce(): void {
  const quiz = document.querySelector<HTMLDialogElement>('dialog#quiz');
  if (!quiz || wasShown()) return;
  const ended = new AbortController();
  const on = (type: string, listener: () => void) =>
    addEventListener(type, listener, { capture: true, signal: ended.signal });
  let isDue = false;
  let isJumping = false;
  let isScrolling = false;

  const end = () => {
    ended.abort();
    storeShown();
  };
  const open = () => {
    if (ended.signal.aborted || !isDue || isVisitorBusy() || (isJumping && isScrolling)) return;
    end();
    quiz.showModal();
  };

  on('quiz', () => {
    isDue = true;
    open();
  });
  // The visitor may have left the dialog, menu or field now. The focus moves only after the event.
  for (const type of ['close', 'toggle', 'focusout']) on(type, () => setTimeout(open));
  // Browsers without `scrollend` cannot tell when the scroll to a section ends.
  on('hashchange', () => {
    isJumping = 'onscrollend' in window;
  });
  on('scroll', () => {
    isScrolling = true;
  });
  on('scrollend', () => {
    isScrolling = false;
    isJumping = false;
    open();
  });
  // A visitor who has sent a message does not get the popup.
  on('sent', end);

  quiz.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[target=_blank]')) quiz.close();
  });
}

/** Whether the visitor is in a dialog, menu or field, or any field has unsent text. */
function isVisitorBusy(): boolean {
  // `:is` ignores a selector that the browser does not support.
  const places = ':is(dialog[open], :popover-open), :is(input, textarea, select):focus';
  if (document.querySelector(places)) return true;
  const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
  return fields.some(({ value, defaultValue }) => value !== defaultValue);
}

/** Whether the popup was shown in this tab since the last reload; false if storage is blocked. */
function wasShown(): boolean {
  try {
    const [entry] = performance.getEntriesByType('navigation');
    const isReload = (entry as PerformanceNavigationTiming | undefined)?.type === 'reload';
    if (isReload) sessionStorage.removeItem(storageKey);
    return sessionStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

/** If storage is blocked, the popup can open again on the next page view. */
function storeShown(): void {
  try {
    sessionStorage.setItem(storageKey, '1');
  } catch {}
}
