/** A draft whose changes go live at once, each its own fields alone, and can be taken back. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import {
  type Change,
  changesBetween,
  isEqual,
  type Shape,
  valueAt,
} from '../../server/contract/document-changes.ts';
import type { Draft } from '../editor/draft.ts';
import { createUndo } from '../editor/undo.ts';

interface LiveState {
  status:
    | { kind: 'unchanged' | 'saving' }
    | { kind: 'saved'; at: number }
    | { kind: 'failed'; sentence: string };
  /** What goes live now; after a failure, what was changed here, which `undo` takes back. */
  pending: readonly string[];
  canUndo: boolean;
  /** The number of changes until now. */
  count: number;
}

/** Makes fields live. Resolves with a sentence when it fails. */
type Publish = (paths: readonly string[]) => Promise<string | undefined>;

/** How long after the last key what is typed goes live, in ms. */
const typingMs = 1000;

export function createLiveDraft({
  draft,
  publish,
  shape,
}: {
  draft: Draft;
  publish: Publish;
  shape: Shape<string>;
}) {
  const listeners = new Set<() => void>();
  const undo = createUndo();
  let waiting: string[] = [];
  let published: readonly string[] = [];
  /** What was changed here last, and not elsewhere or by `undo`. */
  const own = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: LiveState = { status: { kind: 'unchanged' }, pending: [], canUndo: false, count: 0 };

  const show = (status: LiveState['status'], count = state.count) => {
    const { canUndo } = undo.state();
    const unsaved = [...published, ...waiting];
    const pending =
      status.kind === 'failed' ? unsaved.filter((path) => canUndo && own.has(path)) : unsaved;
    state = { status, pending, canUndo, count };
    for (const listener of listeners) listener();
  };

  /** Publishes what is waiting, and what is changed meanwhile. */
  const run = async () => {
    clearTimeout(timer);
    if (published.length > 0) return;
    while (waiting.length > 0) {
      [published, waiting] = [waiting, []];
      show({ kind: 'saving' });
      const sentence = await publish(published);
      if (sentence !== undefined) {
        [published, waiting] = [[], [...new Set([...published, ...waiting])]];
        return show({ kind: 'failed', sentence });
      }
      published = [];
    }
    if (state.status.kind === 'saving') show({ kind: 'saved', at: Date.now() });
  };

  const waitFor = (paths: readonly string[], { isOwn = false } = {}) => {
    for (const path of paths) own[isOwn ? 'add' : 'delete'](path);
    waiting = [...new Set([...waiting, ...paths])];
    show(state.status.kind === 'failed' ? state.status : { kind: 'saving' }, state.count + 1);
  };

  const put = ({ path, to }: Change, { isWhole = false, isOwn = false } = {}) => {
    const { document } = draft.state();
    draft.edit(path, to, { isWhole });
    const paths = changesBetween(shape, document, draft.state().document).map((one) => one.path);
    if (paths.length === 0) return;
    waitFor(paths, { isOwn });
    clearTimeout(timer);
    if (isWhole) void run();
    else timer = setTimeout(() => void run(), typingMs);
  };

  /** For the editor's fields. A change that is typed goes live when the owner pauses or leaves the field. */
  const live: Draft = {
    ...draft,
    edit(path, to, { isWhole = false } = {}) {
      const from = valueAt(draft.state().document, path);
      if (isEqual(from, to)) return;
      undo.add({ path, from, to }, { isWhole });
      put({ path, to }, { isWhole, isOwn: true });
    },
    endChange() {
      undo.endChange();
      draft.endChange();
      if (state.status.kind !== 'failed') void run();
    },
    resolve(conflict, kept) {
      draft.resolve(conflict, kept);
      waitFor([conflict.path]);
      void run();
    },
  };

  return {
    draft: live,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    state: () => state,
    /** Publishes what is not live yet. */
    run,
    /** Makes changes of the draft live that were made elsewhere. */
    publish(path: string) {
      waitFor([path]);
      void run();
    },
    /** Takes back the last change that was made here, unless its value has changed since. */
    undo() {
      const change = undo.back(draft.state().document);
      if (change) put(change, { isWhole: true });
      else show(state.status);
    },
  };
}

export type LiveDraft = ReturnType<typeof createLiveDraft>;

/** `publish` of the first rendering is used. */
export function useLiveDraft(...args: Parameters<typeof createLiveDraft>) {
  const [live] = useState(() => createLiveDraft(...args));
  const state = useSyncExternalStore(live.subscribe, live.state);
  useEffect(() => {
    const run = () => void live.run();
    addEventListener('online', run);
    return () => {
      removeEventListener('online', run);
      run();
    };
  }, [live]);
  return { live, state };
}
