import { closest } from '../ui/native-dialogs.ts';

/** Share of the scrollable height beyond which the quiz is triggered. */
const scrollThreshold = 0.5;

const quizDelayMs = 1000;

/**
 * Dispatches the event `quiz` a second after exit intent (the mouse leaves by the top edge of the
 * window) or a scroll past half of the page, until a listener does not cancel it. After a link or hash
 * scrolled the page, scrolling counts again once the visitor scrolls. `loadVisit` loads the code that
 * opens the popup.
 */
export function watchQuizTriggers(loadVisit: () => Promise<void> | undefined): void {
  let hasJumped = location.hash !== '';
  let isDone = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const trigger = () => {
    if (isDone || timer) return;
    void loadVisit();
    timer = setTimeout(() => loadVisit()?.then(dispatch), quizDelayMs);
  };
  const dispatch = () => {
    // A jump has canceled the trigger while the code was loading.
    if (!timer) return;
    timer = undefined;
    isDone = dispatchEvent(new Event('quiz', { cancelable: true }));
  };
  const jump = () => {
    hasJumped = true;
    clearTimeout(timer);
    timer = undefined;
  };
  addEventListener('hashchange', jump);
  addEventListener('click', ({ target }) => {
    if (closest(target, 'a[href*="#"], a[href="/"]')) jump();
  });
  const scrollOn = () => {
    hasJumped = false;
  };
  // Browsers treat both as passive on the window.
  addEventListener('wheel', scrollOn);
  addEventListener('touchmove', scrollOn);
  addEventListener('keydown', ({ key }) => {
    if (/^(Arrow|Page|Home|End| )/.test(key)) scrollOn();
  });
  addEventListener('mousedown', ({ target }) => {
    // The scrollbar belongs to the root element.
    if (target === document.documentElement) scrollOn();
  });

  // `mouseleave` does not fire on `window`.
  document.addEventListener(
    'mouseleave',
    ({ clientY, relatedTarget }) => {
      if (clientY > 0 || relatedTarget) return;
      if (matchMedia('(hover: hover) and (pointer: fine)').matches) trigger();
    },
    true,
  );
  const checkScroll = () => {
    const scrollable = document.documentElement.scrollHeight - innerHeight;
    if (!hasJumped && scrollY / scrollable > scrollThreshold) trigger();
  };
  addEventListener('scroll', checkScroll);
  // The visitor may have scrolled before this script loaded.
  checkScroll();
}
