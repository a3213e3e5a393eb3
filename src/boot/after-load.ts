/** Runs `task` after the page's `load` event, with a delay of `delayMs` (default 0). */
export function afterLoad(task: () => void, delayMs?: number): void {
  const schedule = () => setTimeout(task, delayMs);
  if (document.readyState === 'complete') schedule();
  else addEventListener('load', schedule, { once: true });
}
