/** Share of the scrollable height beyond which the quiz is triggered. */
const scrollThreshold = 0.5;

const quizDelayMs = 1000;

/**
 * Dispatches the event `quiz` once: a second after exit intent (the mouse leaves by the top edge of
 * the window) or a scroll past half of the page. `loadVisit` loads the code that opens the popup.
 */
export function watchQuizTriggers(loadVisit: () => Promise<void> | undefined): void {
  let isTriggered = false;
  const trigger = () => {
    if (isTriggered) return;
    isTriggered = true;
    void loadVisit();
    setTimeout(() => loadVisit()?.then(() => dispatchEvent(new Event('quiz'))), quizDelayMs);
  };
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
    if (scrollY / scrollable > scrollThreshold) trigger();
  };
  addEventListener('scroll', checkScroll);
  // The visitor may have scrolled before this script loaded.
  checkScroll();
}
