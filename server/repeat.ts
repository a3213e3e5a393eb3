/** Runs `job` now and every `every` ms. Returns the function that stops it. A failure goes to `onError`. */
export function repeat(
  every: number,
  job: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => void {
  const run = () => void job().catch(onError);
  run();
  const timer = setInterval(run, every);
  timer.unref();
  return () => clearInterval(timer);
}
