import { useState } from 'react';
import { isEqual } from '../../server/contract/document-changes.ts';

/**
 * Identities of a list's entries, by index: an entry keeps its own when it is edited or moved, also by another tab, so
 * that what is typed goes on in the same entry.
 */
export function useEntryKeys(entries: readonly unknown[]): readonly number[] {
  const [known, setKnown] = useState(() => ({ entries, keys: [...entries.keys()] }));
  if (known.entries === entries) return known.keys;
  const keys = keysAfter(known, entries);
  setKnown({ entries, keys });
  return keys;
}

/** The keys of a list after a change of it. */
export function keysAfter(
  { entries: old, keys }: { entries: readonly unknown[]; keys: readonly number[] },
  entries: readonly unknown[],
): number[] {
  const found = entries.map((): number | undefined => undefined);
  const isFree = (i: number) => !found.includes(i);
  const match = (isSame: (i: number, j: number) => boolean) => {
    for (const j of entries.keys()) {
      found[j] ??= [...old.keys()].find((i) => isFree(i) && isSame(i, j));
    }
  };
  match((i, j) => old[i] === entries[j]);
  match((i, j) => isEqual(old[i], entries[j]));
  // What is left at its place was edited there.
  match((i, j) => i === j);
  let next = Math.max(-1, ...keys) + 1;
  return found.map((i) => (i === undefined ? undefined : keys[i]) ?? next++);
}
