/** Wraps a task so that it runs at most once a minute, so that a flood cannot fill the log. */
export function throttle(task: () => void): () => void {
  let ranAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - ranAt < 60_000) return;
    ranAt = performance.now();
    task();
  };
}
