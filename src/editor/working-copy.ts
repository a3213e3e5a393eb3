/** The document as this tab has it: what is edited, merged with what others saved, and undone. It calls no server. */
import {
  type Change,
  type Conflict,
  changesBetween,
  type Group,
  isEqual,
  isGroup,
  isWithin,
  merged,
  overlaps,
  type Shape,
  valueAt,
  withValue,
} from '../../server/contract/document-changes.ts';
import { pathAfter } from './entry-keys.ts';
import { createUndo } from './undo.ts';
import type { Left } from './unsent.ts';

/** A value that this tab and another one changed, each in another way. */
export interface OpenConflict extends Conflict {
  /** What both replaced. */
  base: unknown;
}

/** Both documents are `loaded` at first: the edited one, and the one at the server. */
export function createWorkingCopy(loaded: Group, shape: Shape<string>) {
  let saved = loaded;
  let document = loaded;
  let conflicts: OpenConflict[] = [];
  const undo = createUndo();

  /** The conflict at a path, unless both have the same value there by now. */
  const conflictAt = (path: string, base: unknown): OpenConflict[] => {
    const [mine, theirs] = [valueAt(document, path), valueAt(saved, path)];
    return isEqual(mine, theirs) ? [] : [{ path, mine, theirs, base }];
  };
  /** What is saved, with what conflicts replaced in it. */
  const beforeConflicts = () =>
    conflicts.reduce((one, { path, base }) => withValue(one, path, base), saved);

  const put = (path: string, to: unknown) => {
    const before = beforeConflicts();
    document = withValue(document, path, to);
    // When the list around a conflict is another one, the owner chooses between the lists.
    const paths = conflicts.map((one) => (isWithin(one.path, [path]) ? path : one.path));
    conflicts = [...new Set(paths)].flatMap((one) => conflictAt(one, valueAt(before, one)));
  };

  const make = (change: Change | undefined): string | undefined => {
    if (change) put(change.path, change.to);
    return change?.path;
  };

  return {
    /** `saved`: the draft at the server, as far as this tab knows. */
    state: () => ({ document, saved, conflicts, ...undo.state() }),

    /** Changes the value at a path. Returns whether it was another one. */
    edit(path: string, to: unknown, { isWhole }: { isWhole: boolean }): boolean {
      const from = valueAt(document, path);
      if (isEqual(from, to)) return false;
      undo.add({ path, from, to }, { isWhole });
      put(path, to);
      return true;
    },
    endChange: undo.endChange,
    /** Takes back the last change. Returns its path; undefined when the value has changed since. */
    undo: () => make(undo.back(document)),
    redo: () => make(undo.again(document)),

    /** Decides a conflict. The value that is not kept can be had by `undo`. */
    resolve({ path, mine, theirs }: OpenConflict, kept: 'mine' | 'theirs') {
      conflicts = conflicts.filter((one) => one.path !== path);
      const [from, to] = kept === 'mine' ? [theirs, mine] : [mine, theirs];
      undo.add({ path, from, to }, { isWhole: true });
      document = withValue(document, path, to);
    },

    /** Shows two documents made of `base` as one: `theirs` is the server's, and `mine` wins where they conflict. */
    takeOver({ base, mine, theirs }: { base: Group; mine: Group; theirs: Group }) {
      const before = document;
      const found: string[] = [];
      document = merged(shape, { base, mine, theirs }, ({ path }) => found.push(path));
      saved = theirs;
      // The other tab may have moved the entry of a conflict.
      const kept = conflicts.flatMap(({ path: old, base }) => {
        const path = pathAfter(old, [before, document], { areEdited: true });
        return path === undefined || isWithin(path, found) ? [] : conflictAt(path, base);
      });
      const keptPaths = kept.map(({ path }) => path);
      conflicts = [
        ...found
          .filter((path) => !isWithin(path, keptPaths))
          .flatMap((path) => conflictAt(path, valueAt(base, path))),
        ...kept,
      ];
      undo.removeWithin(
        changesBetween(shape, before, document).flatMap(({ path }) =>
          shape.kind(path) === 'list' ? [path] : [],
        ),
      );
    },

    /** What the server does not have, without conflicts and what overlaps the paths `except`. */
    unsent(except: readonly string[]): Change[] {
      // A conflict in one field of an entry holds back no other field of it.
      const decided = conflicts.reduce(
        (one, { path }) => withValue(one, path, valueAt(saved, path)),
        document,
      );
      // An edit within an entry is sent as the whole entry: its list may be reordered.
      const paths = changesBetween(shape, saved, decided).map(({ path }) =>
        entryPath(path, decided),
      );
      return [...new Set(paths)]
        .filter((path) => !except.some((one) => overlaps(path, one)))
        .map((path) => ({ path, from: valueAt(saved, path), to: valueAt(decided, path) }));
    },
    /** The server has these values. */
    confirm(changes: readonly Change[]) {
      saved = changes.reduce((one, { path, to }) => withValue(one, path, to), saved);
      conflicts = conflicts.flatMap(({ path, base }) => conflictAt(path, base));
    },

    /** What is not saved, if anything, for `takeOver` in another tab, which finds the conflicts again. */
    left(): Left | undefined {
      if (isEqual(saved, document)) return undefined;
      return { base: beforeConflicts(), document };
    },
    /** Goes back to what is saved. */
    reset() {
      document = saved;
      conflicts = [];
    },
  };
}

/** The path of the innermost list entry with several fields around a path, or the path itself. */
function entryPath(path: string, document: Group): string {
  const keys = path.split('.');
  for (let length = keys.length; length > 0; length--) {
    const parent = keys.slice(0, length - 1).join('.');
    const own = keys.slice(0, length).join('.');
    if (Array.isArray(valueAt(document, parent)) && isGroup(valueAt(document, own))) return own;
  }
  return path;
}
