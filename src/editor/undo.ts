/** The changes that a tab can take back, and make again. */
import { type Change, isEqual, isWithin, valueAt } from '../../server/contract/document-changes.ts';

export function createUndo() {
  let done: Change[] = [];
  let undone: Change[] = [];
  /** Whether the next edit of the same field belongs to the last change. */
  let isTyping = false;

  /** Moves the last change from one list to the other. Undefined when its value has changed since, in another tab. */
  const step = (
    [from, to]: [Change[], Change[]],
    document: unknown,
    turned: (change: Change) => Change,
  ): Change | undefined => {
    const change = from.pop();
    isTyping = false;
    if (!change) return undefined;
    const next = turned(change);
    if (!isEqual(valueAt(document, next.path), next.from)) return undefined;
    to.push(change);
    return next;
  };

  return {
    state: () => ({ canUndo: done.length > 0, canRedo: undone.length > 0 }),
    /** Edits of one field in a row are one change. `isWhole`: this one is a change of its own. */
    add(change: Change, { isWhole }: { isWhole: boolean }) {
      const before = done.at(-1);
      if (isTyping && !isWhole && before?.path === change.path) {
        done[done.length - 1] = { ...before, to: change.to };
      } else done.push(change);
      isTyping = !isWhole;
      undone = [];
    },
    /** The next edit is another change. */
    endChange() {
      isTyping = false;
    },
    /** The change of a document that takes back the last one. */
    back: (document: unknown) =>
      step([done, undone], document, ({ path, from, to }) => ({ path, from: to, to: from })),
    /** The change of a document that makes again what was taken back last. */
    again: (document: unknown) => step([undone, done], document, (change) => change),
    /** Removes the changes within lists whose entries stand elsewhere now: an older value would be another entry's. */
    removeWithin(lists: readonly string[]) {
      const isElsewhere = ({ path }: Change) => isWithin(path, lists);
      done = done.filter((one) => !isElsewhere(one));
      undone = undone.filter((one) => !isElsewhere(one));
      if (lists.length > 0) isTyping = false;
    },
  };
}
