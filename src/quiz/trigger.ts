/** Share of the page's height beyond which the quiz is triggered, and how long it waits then, in ms. */
const scrollThreshold = 0.5;
const quizDelay = 1000;

/**
 * Tells the quiz popup that it is time (event `quiz`), once: a second after the visitor made to leave
 * by the top edge of the window, or has scrolled past half of the page. `visit` brings the popup's
 * own code, which decides whether the moment is good.
 */
export function armQuiz(visit: () => Promise<void> | undefined): void {
  let isTriggered = false;
  const trigger = () => {
    if (isTriggered) return;
    isTriggered = true;
    void visit();
    setTimeout(() => visit()?.then(() => dispatchEvent(new Event('quiz'))), quizDelay);
  };
  // At the window itself it is not told of.
  document.addEventListener(
    'mouseleave',
    ({ clientY, relatedTarget }) => {
      if (clientY > 0 || relatedTarget) return;
      if (matchMedia('(hover: hover) and (pointer: fine)').matches) trigger();
    },
    true,
  );
  const look = () => {
    const way = document.documentElement.scrollHeight - innerHeight;
    if (scrollY / way > scrollThreshold) trigger();
  };
  addEventListener('scroll', look);
  // Whoever scrolled before this script came has scrolled all the same.
  look();
}
