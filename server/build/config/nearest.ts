/** Returns the candidate with the smallest edit distance to `word`, if that is a likely typo. */
export function nearest(word: string, candidates: string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const allowed = Math.max(word.length < 5 ? 1 : 2, Math.floor(word.length / 3));
  return best && best.distance <= allowed ? best.name : undefined;
}

/** The Levenshtein distance: insertions, deletions and substitutions that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  [...a].forEach((character, i) => {
    const next = [i + 1];
    [...b].forEach((other, j) => {
      const changed = (row[j] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    });
    row = next;
  });
  return row.at(-1) ?? 0;
}
