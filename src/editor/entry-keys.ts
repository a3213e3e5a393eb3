import { useState } from 'react';
import { isEqual, valueAt } from '../../server/contract/document-changes.ts';

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

/** The keys of a list after a change of it. Without `areEdited`, only an entry that is as it was keeps its key. */
export function keysAfter(
  { entries: old, keys }: { entries: readonly unknown[]; keys: readonly number[] },
  entries: readonly unknown[],
  { areEdited = true } = {},
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
  if (areEdited) match((i, j) => i === j);
  let next = Math.max(-1, ...keys) + 1;
  return found.map((i) => (i === undefined ? undefined : keys[i]) ?? next++);
}

/**
 * The path of what stood at `path` before a change of the document: that of an entry that was moved, and undefined when
 * its entry is gone. `areEdited` as in `keysAfter`.
 */
export function pathAfter(
  path: string,
  [from, to]: readonly [unknown, unknown],
  options: { areEdited: boolean },
): string | undefined {
  const follow = (
    before: unknown,
    after: unknown,
    [key, ...rest]: readonly string[],
  ): string[] | undefined => {
    if (key === undefined) return [];
    if (before === after) return [key, ...rest];
    let next = key;
    if (Array.isArray(before)) {
      if (!Array.isArray(after)) return undefined;
      const known = { entries: before, keys: [...before.keys()] };
      const index = keysAfter(known, after, options).indexOf(Number(key));
      if (index < 0) return undefined;
      next = String(index);
    }
    const below = follow(valueAt(before, key), valueAt(after, next), rest);
    return below && [next, ...below];
  };
  return follow(from, to, path.split('.'))?.join('.');
}
