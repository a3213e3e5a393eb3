/** The candidate that `word` was probably meant to be: a typing slip or two away. */
export function nearest(word: string, candidates: string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, slips: slipsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips);
  const allowed = Math.max(word.length < 5 ? 1 : 2, Math.floor(word.length / 3));
  return best && best.slips <= allowed ? best.name : undefined;
}

/** How many letters must be added, left out or changed to make `b` of `a` (Levenshtein). */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  [...a].forEach((letter, i) => {
    const next = [i + 1];
    [...b].forEach((other, j) => {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    });
    row = next;
  });
  return row.at(-1) ?? 0;
}
