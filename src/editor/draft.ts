/**
 * The draft as this tab edits it. It is saved by itself; what another tab or device saved meanwhile is merged, and only
 * a value that both changed is left for the owner to choose.
 */
import type { Outputs } from '../../server/contract/api.ts';
import {
  type Change,
  type Conflict,
  changesBetween,
  type Group,
  isEqual,
  isGroup,
  isWithin,
  merged,
  type Shape,
  valueAt,
  withValue,
} from '../../server/contract/document-changes.ts';
import { openUnsent, type Unsent } from './unsent.ts';

type Loaded = Outputs['site']['draft'];
type Saved = Outputs['site']['save'];
type Mistake = Loaded['mistakes'][number];

/** The server, as the draft uses it. */
export interface DraftServer {
  load(): Promise<Loaded>;
  /** `isLast`: the page is being closed. */
  save(patches: Change[], isLast: boolean): Promise<Saved>;
  /** What to do after a save that failed: the sentence for the owner, and when to try again, in ms. */
  problemOf(error: unknown): { sentence: string; retryMs: number | undefined };
}

export type SaveState =
  | { kind: 'saved'; at: number | undefined }
  | { kind: 'unsaved' | 'saving' }
  | { kind: 'failed'; sentence: string; nextTryAt: number | undefined };

export interface DraftState {
  /** What the form shows. */
  document: Group;
  /** What visitors see. */
  live: Group;
  version: Loaded['live'];
  /** What a changed `site.config.ts` says otherwise than the document. */
  fileChanges: Change[];
  /** The revision at the server. */
  revision: number;
  /** How the document differs from the live site. */
  changes: Change[];
  /** Of the saved draft, without those of fields that have changed since. */
  mistakes: Mistake[];
  conflicts: Conflict[];
  save: SaveState;
  /** Paths that another tab or device changed, until the owner has looked at them. */
  unseen: string[];
  canUndo: boolean;
  canRedo: boolean;
}

/** How long after the last edit the draft is saved, in ms. */
const saveAfterMs = 800;

export type Draft = ReturnType<typeof createDraft>;

export function createDraft(
  loaded: Loaded,
  { server, shape }: { server: DraftServer; shape: Shape<string> },
) {
  const listeners = new Set<() => void>();
  /** The draft at the server, as far as this tab knows. */
  let saved = loaded.document;
  let document = loaded.document;
  let base = loaded;
  let mistakes = loaded.mistakes;
  let conflicts: Conflict[] = [];
  let unseen: string[] = [];
  let save: SaveState = { kind: 'saved', at: undefined };
  let undone: Change[] = [];
  const done: Change[] = [];
  /** Whether the next edit of the same field belongs to the last change. */
  let isTyping = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | undefined;
  /** Undefined while the screen is not open. */
  let unsent: Unsent | undefined;
  let live = liveOf(loaded);

  const snapshot = (): DraftState => ({
    ...{ document, live, version: base.live, revision: base.revision, conflicts, save, unseen },
    changes: changesBetween(shape, live, document),
    fileChanges: (base.file?.changes ?? []).filter(
      ({ path, to }) => !isEqual(valueAt(document, path), to),
    ),
    mistakes: mistakes.filter(({ path }) => isEqual(valueAt(saved, path), valueAt(document, path))),
    canUndo: done.length > 0,
    canRedo: undone.length > 0,
  });
  let state = snapshot();
  const changed = () => {
    state = snapshot();
    for (const listener of listeners) listener();
  };

  /** What the server does not have yet. An edit within an entry is sent as the whole entry: its list may be reordered. */
  const unsentChanges = (): Change[] => {
    const open = conflicts.map(({ path }) => path);
    const paths = changesBetween(shape, saved, document).map(({ path }) =>
      entryPath(path, document),
    );
    return [...new Set(paths)]
      .filter((path) => !open.some((one) => isWithin(path, [one]) || isWithin(one, [path])))
      .map((path) => ({ path, from: valueAt(saved, path), to: valueAt(document, path) }));
  };

  const schedule = (delay: number) => {
    clearTimeout(timer);
    if (unsent) timer = setTimeout(() => void flush(), delay);
  };

  const store = (storage = unsent) =>
    storage?.store([
      ...unsentChanges(),
      ...conflicts.map(({ path, mine }) => ({ path, to: mine })),
    ]);

  const edited = () => {
    store();
    if (save.kind !== 'failed') save = { kind: 'unsaved' };
    schedule(saveAfterMs);
    changed();
  };

  const put = (path: string, to: unknown) => {
    document = withValue(document, path, to);
    conflicts = conflicts.map((conflict) => {
      if (isWithin(path, [conflict.path])) {
        return { ...conflict, mine: valueAt(document, conflict.path) };
      }
      return isWithin(conflict.path, [path])
        ? { path, mine: to, theirs: valueAt(saved, path) }
        : conflict;
    });
  };

  /** Takes over what others saved, or what this tab asked for in another way (`isOwn`). */
  const refresh = async (isOwn = false) => {
    const fresh = await server.load();
    const found: Conflict[] = [];
    const others = isOwn
      ? []
      : changesBetween(shape, saved, fresh.document).map(({ path }) => path);
    document = merged(shape, { base: saved, mine: document, theirs: fresh.document }, (conflict) =>
      found.push(conflict),
    );
    saved = fresh.document;
    conflicts = [
      ...found,
      ...conflicts.filter(({ path }) => !found.some((one) => one.path === path)),
    ];
    const isFound = (path: string) => found.some((one) => isWithin(one.path, [path]));
    unseen = [...new Set([...unseen, ...others.filter((path) => !isFound(path))])];
    base = fresh;
    live = liveOf(fresh);
    ({ mistakes } = fresh);
    store();
  };

  const send = async (isLast: boolean) => {
    const patches = unsentChanges();
    if (patches.length === 0) {
      if (save.kind !== 'saved') save = { kind: 'saved', at: Date.now() };
      return;
    }
    save = { kind: 'saving' };
    changed();
    const result = await server.save(patches, isLast);
    const isAlone = result.conflicts.length === 0 && result.revision <= base.revision + 1;
    for (const { path, to } of patches) {
      if (!result.conflicts.some((one) => one.path === path)) saved = withValue(saved, path, to);
    }
    base = { ...base, revision: result.revision };
    ({ mistakes } = result);
    if (isAlone) store();
    else await refresh();
    save = { kind: 'saved', at: Date.now() };
  };

  /** Saves what is unsent; resolves when everything typed until now is saved, or could not be. */
  const flush = async (isLast = false): Promise<void> => {
    clearTimeout(timer);
    if (saving !== undefined) {
      await saving;
      return unsentChanges().length > 0 && save.kind !== 'failed' ? flush(isLast) : undefined;
    }
    saving = send(isLast).catch((error: unknown) => {
      const { sentence, retryMs } = server.problemOf(error);
      const nextTryAt = retryMs === undefined ? undefined : Date.now() + retryMs;
      save = { kind: 'failed', sentence, nextTryAt };
      if (retryMs !== undefined) schedule(retryMs);
    });
    await saving;
    saving = undefined;
    if (save.kind === 'saved' && unsentChanges().length > 0) {
      save = { kind: 'unsaved' };
      schedule(saveAfterMs);
    }
    changed();
  };

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    state: () => state,

    /** Changes the value at a path. Edits of one field in a row are one change for `undo`. */
    edit(path: string, to: unknown, { isWhole = false } = {}) {
      const from = valueAt(document, path);
      if (isEqual(from, to)) return;
      const last = done.at(-1);
      if (isTyping && !isWhole && last?.path === path) done[done.length - 1] = { ...last, to };
      else done.push({ path, from, to });
      isTyping = !isWhole;
      undone = [];
      put(path, to);
      edited();
    },
    /** The field lost the focus: its next edit is another change. */
    endChange() {
      isTyping = false;
    },
    undo: () => step(done, undone, ({ path, from, to }) => ({ path, from: to, to: from })),
    redo: () => step(undone, done, (change) => change),

    /** Decides a conflict. The value that is not kept can be had by `undo`. */
    resolve({ path, mine, theirs }: Conflict, kept: 'mine' | 'theirs') {
      conflicts = conflicts.filter((one) => one.path !== path);
      if (kept === 'theirs') {
        done.push({ path, from: mine, to: theirs });
        document = withValue(document, path, theirs ?? undefined);
      }
      isTyping = false;
      edited();
    },
    /** The owner has looked at what others changed. */
    see() {
      unseen = [];
      changed();
    },
    flush,
    /** Loads the draft and what is live again. `isOwn`: after an act of this tab, such as a publish. */
    async reload({ isOwn = false } = {}) {
      await flush();
      await refresh(isOwn);
      changed();
    },
    /** The screen opens: applies what a closed tab has left, where its field still has the value that it replaced. */
    async start() {
      unsent = openUnsent();
      const left: Conflict[] = [];
      for (const { path, from, to } of await unsent.adopt()) {
        const current = valueAt(document, path);
        if (current === undefined || isEqual(current, to)) continue;
        if (!isEqual(current, from)) left.push({ path, mine: to, theirs: current });
        document = withValue(document, path, to);
      }
      conflicts = [...conflicts, ...left];
      if (unsentChanges().length + left.length > 0) edited();
    },
    /** The screen closes: saves what is left. */
    stop() {
      const closing = unsent;
      unsent = undefined;
      void flush(true).then(() => {
        store(closing);
        closing?.release();
      });
    },
  };

  function step(from: Change[], to: Change[], turned: (change: Change) => Change) {
    const change = from.pop();
    if (!change) return undefined;
    isTyping = false;
    const { path, from: expected, to: value } = turned(change);
    // Another tab may have changed it, or have removed its entry.
    if (isEqual(valueAt(document, path), expected)) {
      to.push(change);
      put(path, value);
      edited();
    } else changed();
    return path;
  }
}

/** The live document: the draft without its changes. */
const liveOf = ({ document, changes }: Loaded): Group =>
  changes.reduce((live, { path, from }) => withValue(live, path, from), document);

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
