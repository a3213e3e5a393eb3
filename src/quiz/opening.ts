/** Whether and when the quiz popup, once triggered, opens: when it takes nothing from the visitor. */
const memory = 'quiz-shown';

/**
 * Opens `<dialog id="quiz">` at the event `quiz`, or as soon after it as the visitor is in no dialog,
 * no field and no jump to a section. Once, until the page is reloaded; not after a message was sent.
 */
export function openQuizOnce(): void {
  const quiz = document.querySelector<HTMLDialogElement>('dialog#quiz');
  if (!quiz || wasShown()) return;
  const over = new AbortController();
  const on = (type: string, listener: () => void) =>
    addEventListener(type, listener, { capture: true, signal: over.signal });
  let isDue = false;
  let isJumping = false;
  let isScrolling = false;

  const end = () => {
    over.abort();
    remember();
  };
  const open = () => {
    if (over.signal.aborted || !isDue || isVisitorBusy() || (isJumping && isScrolling)) return;
    end();
    quiz.showModal();
  };

  on('quiz', () => {
    isDue = true;
    open();
  });
  // The dialog or the field that was in the way may be left now. Where the focus goes shows later.
  on('close', () => setTimeout(open));
  on('focusout', () => setTimeout(open));
  // A browser that does not tell when it has arrived is not waited for.
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
  // Whoever has written is not asked to stay.
  on('sent', end);

  quiz.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[target=_blank]')) quiz.close();
  });
}

/** Whether the visitor is in a dialog or a field, or has left typed text in one. */
function isVisitorBusy(): boolean {
  if (document.querySelector('dialog[open], :is(input, textarea, select):focus')) return true;
  const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
  return fields.some(({ value, defaultValue }) => value !== defaultValue);
}

/** Whether it was shown in this tab since the page was last reloaded. */
function wasShown(): boolean {
  try {
    const [entry] = performance.getEntriesByType('navigation');
    const isReload = (entry as PerformanceNavigationTiming | undefined)?.type === 'reload';
    if (isReload) sessionStorage.removeItem(memory);
    return sessionStorage.getItem(memory) !== null;
  } catch {
    return false;
  }
}

/** Where nothing may be stored, it is remembered until the visitor leaves the page. */
function remember(): void {
  try {
    sessionStorage.setItem(memory, '1');
  } catch {}
}
