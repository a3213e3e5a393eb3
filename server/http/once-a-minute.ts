/** Wraps a task so that it runs at most once a minute: a flood must not fill the log. */
export function onceAMinute(task: () => void): () => void {
  let ranAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - ranAt < 60_000) return;
    ranAt = performance.now();
    task();
  };
}
