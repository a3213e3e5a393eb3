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
  overlaps,
  type Shape,
  valueAt,
  withValue,
} from '../../server/contract/document-changes.ts';
import { createUndo } from './undo.ts';
import { openUnsent, type Unsent } from './unsent.ts';

type Loaded = Outputs['site']['draft'];
type Saved = Outputs['site']['save'];
type Mistake = Loaded['mistakes'][number];

/** The server, as the draft uses it. */
export interface DraftServer {
  load(): Promise<Loaded>;
  /** `isLast`: the screen is being closed. */
  save(patches: Change[], isLast: boolean): Promise<Saved>;
  /** What a failed save says of single patches, by their index. */
  refusalsIn(error: unknown): { index: number; message: string }[];
  /** What to do after a save that failed: the sentence for the owner, when to try again, in ms, or to sign in first. */
  problemOf(error: unknown): { sentence: string; retryMs?: number; isSignedOut?: boolean };
}

export type SaveState =
  | { kind: 'saved'; at: number | undefined }
  | { kind: 'unsaved' | 'saving' }
  | { kind: 'failed'; sentence: string; nextTryAt: number | undefined; isSignedOut: boolean };

/** A value that this tab and another one changed, each in another way. */
export interface OpenConflict extends Conflict {
  /** What both replaced. */
  base: unknown;
}

export interface DraftState {
  /** What the form shows. */
  document: Group;
  /** The draft at the server, as far as this tab knows. */
  saved: Group;
  /** What visitors see. */
  live: Group;
  version: Loaded['live'];
  /** What a changed `site.config.ts` says otherwise than the document. */
  fileChanges: Change[];
  /** The revision at the server. */
  revision: number;
  /** How the document differs from the live site. */
  changes: Change[];
  /** Of the saved draft, without those of fields that have changed since, and of what the server refused. */
  mistakes: Mistake[];
  conflicts: OpenConflict[];
  save: SaveState;
  /** Paths that another tab or device changed, until the owner has looked at them. */
  unseen: string[];
  /** Paths of what closed tabs had not saved and this one took over, while visitors see something else there. */
  restored: string[];
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
  let saved = loaded.document;
  let document = loaded.document;
  let last = loaded;
  let live = liveOf(loaded);
  let conflicts: OpenConflict[] = [];
  /** What the server refused, by path, until it is edited. */
  let refused: Mistake[] = [];
  /** Patches whose response was lost: the server may have applied them. */
  let doubtful: Change[] = [];
  /** The draft has to be loaded after a save; `isOwn`: for nothing but what this tab has changed. */
  let due: { isOwn: boolean } | undefined;
  let unseen: string[] = [];
  let restored: string[] = [];
  let save: SaveState = { kind: 'saved', at: undefined };
  const undo = createUndo();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Calls of the server, one after the other: a slow response must not replace what a later one brought. */
  let calls: Promise<unknown> = Promise.resolve();
  let isOpen = false;
  /** Undefined once the screen is closed and nothing is under way. */
  let unsent: Unsent | undefined;
  /** The last save of a closed screen. */
  let closing: Promise<void> | undefined;

  const snapshot = (): DraftState => ({
    ...{ document, saved, live, version: last.live, revision: last.revision },
    ...{ conflicts, save, unseen },
    restored: restored.filter((path) => !isEqual(valueAt(live, path), valueAt(document, path))),
    changes: changesBetween(shape, live, document),
    fileChanges: (last.file?.changes ?? []).filter(
      ({ path, to }) => !isEqual(valueAt(document, path), to),
    ),
    mistakes: [
      ...refused,
      ...last.mistakes.filter(({ path }) => isEqual(valueAt(saved, path), valueAt(document, path))),
    ],
    ...undo.state(),
  });
  let state = snapshot();
  const changed = () => {
    state = snapshot();
    for (const listener of listeners) listener();
  };

  /** What the server does not have yet. An edit within an entry is sent as the whole entry: its list may be reordered. */
  const unsentChanges = (): Change[] => {
    const waiting = [...conflicts, ...refused].map(({ path }) => path);
    const paths = changesBetween(shape, saved, document).map(({ path }) =>
      entryPath(path, document),
    );
    return [...new Set(paths)]
      .filter((path) => !waiting.some((one) => overlaps(path, one)))
      .map((path) => ({ path, from: valueAt(saved, path), to: valueAt(document, path) }));
  };

  const schedule = (delay: number) => {
    clearTimeout(timer);
    if (isOpen) timer = setTimeout(() => void flush(), delay);
  };

  const store = () =>
    unsent?.store(
      isEqual(saved, document) ? undefined : { base: withBases(saved, conflicts), document },
    );

  const edited = () => {
    unsent ??= openUnsent(() => void adopt());
    store();
    if (save.kind !== 'failed') save = { kind: 'unsaved' };
    schedule(saveAfterMs);
    changed();
    // An upload may end after the screen was closed.
    if (!isOpen) close();
  };

  /** Saves what is left without the screen. What cannot be saved is left in the browser to the screen that opens next. */
  const close = () => {
    const own = flush(true).then(() => {
      // It is open again, or was edited meanwhile.
      if (isOpen || closing !== own) return;
      store();
      unsent?.release();
      unsent = undefined;
      document = saved;
      conflicts = [];
      refused = [];
      save = { kind: 'saved', at: undefined };
      changed();
    });
    closing = own;
  };

  const put = (path: string, to: unknown) => {
    document = withValue(document, path, to);
    refused = refused.filter((one) => !overlaps(one.path, path));
    conflicts = conflicts.flatMap((conflict) => {
      const { path: own, theirs } = conflict;
      // The whole list that it was in is another one now.
      if (own !== path && isWithin(own, [path])) return [];
      const mine = valueAt(document, own);
      return isEqual(mine, theirs) ? [] : [{ ...conflict, mine }];
    });
  };

  /** Shows two documents made of `base` as one: `theirs` is the server's, and `mine` wins where they conflict. */
  const takeOver = ({ base, mine, theirs }: { base: Group; mine: Group; theirs: Group }) => {
    const before = document;
    const found: OpenConflict[] = [];
    document = merged(shape, { base, mine, theirs }, (conflict) =>
      found.push({ ...conflict, base: valueAt(base, conflict.path) }),
    );
    saved = theirs;
    const isFound = ({ path }: { path: string }) => found.some((one) => overlaps(one.path, path));
    conflicts = [...found, ...conflicts.filter((one) => !isFound(one))].filter(
      ({ path }) => !isEqual(valueAt(document, path), valueAt(theirs, path)),
    );
    undo.removeWithin(
      changesBetween(shape, before, document).flatMap(({ path }) =>
        shape.kind(path) === 'list' ? [path] : [],
      ),
    );
  };

  /** Takes over what others saved, or what this tab asked for in another way (`isOwn`). */
  const refresh = async (isOwn = false) => {
    const fresh = await server.load();
    const base = doubtful.reduce(
      (one, { path, to }) =>
        isEqual(valueAt(fresh.document, path), to) ? withValue(one, path, to) : one,
      saved,
    );
    doubtful = [];
    const others = isOwn ? [] : changesBetween(shape, base, fresh.document);
    takeOver({ base, mine: document, theirs: fresh.document });
    const isAsked = (path: string) => conflicts.some((one) => isWithin(one.path, [path]));
    const paths = others.map(({ path }) => path).filter((path) => !isAsked(path));
    unseen = [...new Set([...unseen, ...paths])];
    due = undefined;
    last = fresh;
    live = liveOf(fresh);
    store();
  };

  const send = async (isLast: boolean): Promise<void> => {
    const patches = unsentChanges();
    if (patches.length > 0) await sendPatches(patches, isLast);
    else if (due) await refresh(due.isOwn);
    if (save.kind !== 'saved') save = { kind: 'saved', at: Date.now() };
  };

  const sendPatches = async (patches: Change[], isLast: boolean): Promise<void> => {
    // What failed stays so until it is saved: it is announced, and must not be again at each try.
    if (save.kind !== 'failed') save = { kind: 'saving' };
    changed();
    let result: Saved;
    try {
      result = await server.save(patches, isLast);
    } catch (error) {
      const refusals = server.refusalsIn(error).flatMap(({ index, message }) => {
        const path = patches[index]?.path;
        return path === undefined ? [] : [{ path, message }];
      });
      if (refusals.length === 0) {
        doubtful = patches;
        throw error;
      }
      refused = [...refused, ...refusals];
      return send(isLast);
    }
    for (const { path, to } of patches) {
      if (!result.conflicts.some((one) => one.path === path)) saved = withValue(saved, path, to);
    }
    const isAlone = result.conflicts.length === 0 && result.revision <= last.revision + 1;
    last = { ...last, revision: result.revision, mistakes: result.mistakes };
    // Another language has other small words, with which the server completes the draft.
    const hasOtherWords = patches.some(({ path }) => path === 'language');
    if (!isAlone || hasOtherWords) due = { isOwn: isAlone && due?.isOwn !== false };
    if (due) return refresh(due.isOwn);
    doubtful = [];
    store();
  };

  /** Calls the server after the calls before. */
  const inTurn = <Result>(call: () => Promise<Result>): Promise<Result> => {
    const next = calls.then(call);
    calls = next.catch(() => {});
    return next;
  };

  /** Saves what is unsent; resolves when everything typed until now is saved, or could not be. */
  const flush = async (isLast = false): Promise<void> => {
    clearTimeout(timer);
    await inTurn(() => send(isLast)).catch((error: unknown) => {
      const { sentence, retryMs, isSignedOut = false } = server.problemOf(error);
      const nextTryAt = retryMs === undefined ? undefined : Date.now() + retryMs;
      save = { kind: 'failed', sentence, nextTryAt, isSignedOut };
      if (retryMs !== undefined) schedule(retryMs);
    });
    if (save.kind === 'saved' && unsentChanges().length > 0) {
      save = { kind: 'unsaved' };
      schedule(saveAfterMs);
    }
    changed();
    void adopt();
  };

  /**
   * Takes over what a closed tab has left. The next one follows when it is saved: where both changed one text, the
   * owner then chooses between them, and neither is in this tab alone.
   */
  const adopt = async (): Promise<void> => {
    if (!isOpen || !unsent) return;
    const take = await unsent.closed();
    if (!isOpen || !isEqual(saved, document)) return;
    const left = take();
    if (!left) return;
    // As if this tab had made the changes of the other one.
    takeOver({ base: left.base, mine: left.document, theirs: saved });
    const paths = changesBetween(shape, saved, document).map(({ path }) => path);
    restored = [...new Set([...restored, ...paths])];
    store();
    if (paths.length > 0) save = { kind: 'unsaved' };
    changed();
    void flush();
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
      undo.add({ path, from, to }, { isWhole });
      put(path, to);
      edited();
    },
    /** The field lost the focus: its next edit is another change. */
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
      edited();
    },
    /** The owner has looked at what others changed. */
    see() {
      unseen = [];
      changed();
    },
    /** The owner has read what was restored. */
    seeRestored() {
      restored = [];
      changed();
    },
    flush,
    /** Loads the draft and what is live again. `isOwn`: after an act of this tab, such as a publish. */
    async reload({ isOwn = false } = {}) {
      await flush();
      await inTurn(() => refresh(isOwn));
      changed();
    },
    /** The screen opens, perhaps again: merges what closed tabs have left. */
    async start() {
      isOpen = true;
      unsent ??= openUnsent(() => void adopt());
      await adopt();
    },
    /** The screen closes: saves what is left. */
    stop() {
      isOpen = false;
      close();
    },
  };

  function make(change: Change | undefined): string | undefined {
    if (!change) {
      changed();
      return undefined;
    }
    put(change.path, change.to);
    edited();
    return change.path;
  }
}

/** The live document: the draft without its changes. */
const liveOf = ({ document, changes }: Loaded): Group =>
  changes.reduce((live, { path, from }) => withValue(live, path, from), document);

/** A document before its conflicts: so stored, they are found again. */
const withBases = (document: Group, conflicts: readonly OpenConflict[]): Group =>
  conflicts.reduce((one, { path, base }) => withValue(one, path, base), document);

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
