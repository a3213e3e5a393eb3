/** Opens the triggered quiz popup at a moment that does not interrupt the visitor. */

const storageKey = 'quiz-shown';

/**
 * Opens `<dialog id="quiz">` on the event `quiz`, once until the page is reloaded, and never after a
 * message was sent or a call was booked. Cancels the event while the visitor is in a dialog, menu or field: the popup waits
 * for the next scroll or exit intent, since one that follows a closed dialog at once would be in the way.
 */
export function openQuizOnce(): void {
  const quiz = document.querySelector<HTMLDialogElement>('dialog#quiz');
  if (!quiz || wasShown()) return;
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    storeShown();
  };
  addEventListener(
    'quiz',
    (event) => {
      if (isVisitorBusy()) return event.preventDefault();
      end();
      quiz.showModal();
    },
    { signal: ended.signal },
  );
  for (const type of ['sent', 'booked']) addEventListener(type, end, { signal: ended.signal });

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
