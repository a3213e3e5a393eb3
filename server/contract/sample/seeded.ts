/** A seeded random number generator: the same seed gives the same numbers. Not for secrets. */

/** Returns a number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

export function seeded(seed: string): Random {
  let state = fnv1a(seed);
  // mulberry32: fast, and uniform enough for demo data.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks by weight: `{ tea: 3, coffee: 1 }` gives tea three times out of four. */
export function picker<Name extends string>(random: Random, weights: Record<Name, number>) {
  const entries = Object.entries<number>(weights) as [Name, number][];
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  const [fallback] = entries.at(-1) ?? [];
  if (fallback === undefined) throw new RangeError('There is nothing to pick from.');
  return (): Name => {
    let left = random() * total;
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return fallback;
  };
}

/** Returns true exactly `yes` times in `of` calls, each with the same probability. */
export function quota(random: Random, { yes, of }: { yes: number; of: number }): () => boolean {
  let [wanted, left] = [yes, of];
  return () => {
    const isChosen = random() * left < wanted;
    left -= 1;
    if (isChosen) wanted -= 1;
    return isChosen;
  };
}

/** 32-bit FNV-1a hash. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash;
}
