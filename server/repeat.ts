/**
 * Runs `job` now and every `every` ms, but not while it still runs. Returns the function that stops it. Of failures in
 * a row the first goes to `onError`, none after the stop.
 */
export function repeat(
  every: number,
  job: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => void {
  let isRunning = false;
  let isFailing = false;
  let isStopped = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await job();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped) onError(error);
      isFailing = true;
    } finally {
      isRunning = false;
    }
  };
  void run();
  const timer = setInterval(run, every);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
