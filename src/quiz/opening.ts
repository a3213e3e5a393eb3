/** Opens the quiz popup once, at a moment that does not interrupt the visitor. */

const storageKey = 'quiz-shown';

/** Share of the scrollable height beyond which the quiz is triggered. */
const scrollThreshold = 0.5;

/** Time from the trigger, or from the close of what was open then, to the popup, in ms. */
const quizDelayMs = 1000;

const checkMs = 100;

/**
 * Opens `<dialog id="quiz">` a second after exit intent (the mouse leaves by the top edge of the window) or
 * a scroll past half of the page, once until the page is reloaded. It waits until a second after an open
 * dialog, menu, field or alert has closed and, after a link or hash scrolled the page, until the visitor
 * scrolls.
 */
export function openQuizOnce(): void {
  const quiz = document.querySelector<HTMLDialogElement>('dialog#quiz');
  if (!quiz || wasShown()) return;
  const ended = new AbortController();
  const { signal } = ended;
  let hasJumped = location.hash !== '';
  let timer: ReturnType<typeof setInterval> | undefined;
  const trigger = () => {
    let idleMs = 0;
    timer ??= setInterval(() => {
      idleMs = hasJumped || isVisitorBusy() ? 0 : idleMs + checkMs;
      if (idleMs < quizDelayMs) return;
      clearInterval(timer);
      ended.abort();
      storeShown();
      quiz.showModal();
    }, checkMs);
  };

  const jump = () => {
    hasJumped = true;
  };
  addEventListener('hashchange', jump, { signal });
  addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('a[href*="#"], a[href="/"]')) jump();
    },
    { signal },
  );
  onScrollByHand(() => {
    hasJumped = false;
  }, signal);

  const leave = ({ clientY, relatedTarget }: Pick<MouseEvent, 'clientY' | 'relatedTarget'>) => {
    if (clientY > 0 || relatedTarget) return;
    if (!matchMedia('(hover: hover) and (pointer: fine)').matches) return;
    hasJumped = false;
    trigger();
  };
  // `mouseleave` does not fire on `window`.
  document.addEventListener('mouseleave', leave, { capture: true, signal });
  // The mouse may have left before this script loaded (`boot/boot.ts`).
  if ('left' in document.documentElement.dataset) leave({ clientY: 0, relatedTarget: null });
  const checkScroll = () => {
    const scrollable = document.documentElement.scrollHeight - innerHeight;
    if (!hasJumped && scrollY / scrollable > scrollThreshold) trigger();
  };
  addEventListener('scroll', checkScroll, { signal });
  // The visitor may have scrolled before this script loaded.
  checkScroll();

  quiz.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[target=_blank]')) quiz.close();
  });
}

/** Calls `listener` when the visitor scrolls by wheel, touch, key or scrollbar. */
function onScrollByHand(listener: () => void, signal: AbortSignal): void {
  // Browsers treat both as passive on the window.
  addEventListener('wheel', listener, { signal });
  addEventListener('touchmove', listener, { signal });
  addEventListener(
    'keydown',
    ({ key }) => {
      if (/^(Arrow|Page|Home|End| )/.test(key)) listener();
    },
    { signal },
  );
  addEventListener(
    'mousedown',
    ({ target }) => {
      // The scrollbar belongs to the root element.
      if (target === document.documentElement) listener();
    },
    { signal },
  );
}

/** Whether the visitor is in a dialog, menu, field or another tab, or an alert is shown. */
function isVisitorBusy(): boolean {
  // `:is` ignores a selector that the browser does not support.
  const places =
    ':is(dialog[open], :popover-open, [data-toast], :is(input, textarea, select):focus)';
  return document.hidden || document.querySelector(places) !== null;
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
