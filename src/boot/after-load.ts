/** Runs `task` when the page has loaded and `delay` ms have passed. */
export function afterLoad(task: () => void, delay = 0): void {
  const wait = () => setTimeout(task, delay);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}
