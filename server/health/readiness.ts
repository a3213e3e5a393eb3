export interface ReadinessTiming {
  /** How long a result is returned again, so that frequent requests do not cause more disk writes. */
  readinessCacheMs?: number;
}

/**
 * Whether the site can do its work: `probe` resolves when it can. Everybody who asks while it is being
 * found out, or shortly after, gets the same answer.
 */
export function createReadiness(
  probe: () => Promise<void>,
  {
    readinessCacheMs = 2000,
    now = () => performance.now(),
  }: ReadinessTiming & { now?: () => number } = {},
) {
  let answer: Promise<void> | undefined;
  let until = 0;
  return (): Promise<void> => {
    if (answer && now() < until) return answer;
    until = Number.POSITIVE_INFINITY;
    answer = probe().finally(() => {
      until = now() + readinessCacheMs;
    });
    return answer;
  };
}
