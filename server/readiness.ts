/** How long what was found holds, in ms: whoever asks ever so often costs the disk no more. */
const holds = 2000;

/**
 * Whether the site can do its work: `probe` resolves when it can. Everybody who asks while it is being
 * found out, or shortly after, gets the same answer.
 */
export function createReadiness(probe: () => Promise<void>, now = () => performance.now()) {
  let answer: Promise<void> | undefined;
  let until = 0;
  return (): Promise<void> => {
    if (answer && now() < until) return answer;
    until = Number.POSITIVE_INFINITY;
    answer = probe().finally(() => {
      until = now() + holds;
    });
    return answer;
  };
}
