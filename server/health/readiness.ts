export interface ReadinessTiming {
  /** How long a result is cached, in ms, so that frequent probes do not cause more disk writes. */
  readinessCacheMs?: number;
}

/**
 * Creates the readiness check, which resolves when `probe` does. Concurrent calls share one probe, and its
 * result is cached for `readinessCacheMs`.
 */
export function createReadiness(
  probe: () => Promise<void>,
  {
    readinessCacheMs = 2000,
    now = () => performance.now(),
  }: ReadinessTiming & { now?: () => number } = {},
) {
  let result: Promise<void> | undefined;
  let until = 0;
  return (): Promise<void> => {
    if (result && now() < until) return result;
    until = Number.POSITIVE_INFINITY;
    result = probe().finally(() => {
      until = now() + readinessCacheMs;
    });
    return result;
  };
}
