/**
 * The draft as this tab edits it. It is saved by itself; what another tab or device saved meanwhile is merged, and only
 * a value that both changed is left for the owner to choose.
 */
import type { Outputs } from '../../server/contract/api.ts';
import {
  type Change,
  changesBetween,
  type Group,
  isEqual,
  isWithin,
  overlaps,
  type Shape,
  valueAt,
  withValue,
} from '../../server/contract/document-changes.ts';
import { openUnsent, type Unsent } from './unsent.ts';
import { createWorkingCopy, type OpenConflict } from './working-copy.ts';

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
  const copy = createWorkingCopy(loaded.document, shape);
  let last = loaded;
  let live = liveOf(loaded);
  /** What the server refused, by path, until it is edited. */
  let refused: Mistake[] = [];
  /** Patches whose response was lost: the server may have applied them. */
  let doubtful: Change[] = [];
  /** The draft has to be loaded after a save; `isOwn`: for nothing but what this tab has changed. */
  let due: { isOwn: boolean } | undefined;
  let unseen: string[] = [];
  let restored: string[] = [];
  let save: SaveState = { kind: 'saved', at: undefined };
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Calls of the server, one after the other: a slow response must not replace what a later one brought. */
  let calls: Promise<unknown> = Promise.resolve();
  let isOpen = false;
  /** Undefined once the screen is closed and nothing is under way. */
  let unsent: Unsent | undefined;
  /** The last save of a closed screen. */
  let closing: Promise<void> | undefined;

  const snapshot = (): DraftState => {
    const { document, saved, ...own } = copy.state();
    return {
      ...{ ...own, document, saved, live, version: last.live, revision: last.revision },
      ...{ save, unseen },
      restored: restored.filter((path) => !isEqual(valueAt(live, path), valueAt(document, path))),
      changes: changesBetween(shape, live, document),
      fileChanges: (last.file?.changes ?? []).filter(
        ({ path, to }) => !isEqual(valueAt(document, path), to),
      ),
      mistakes: [
        ...refused,
        ...last.mistakes.filter(({ path }) =>
          isEqual(valueAt(saved, path), valueAt(document, path)),
        ),
      ],
    };
  };
  let state = snapshot();
  const changed = () => {
    state = snapshot();
    for (const listener of listeners) listener();
  };

  const unsentChanges = () => copy.unsent(refused.map(({ path }) => path));

  const schedule = (delay: number) => {
    clearTimeout(timer);
    if (isOpen) timer = setTimeout(() => void flush(), delay);
  };

  const store = () => unsent?.store(copy.left());

  const edited = (path: string) => {
    refused = refused.filter((one) => !overlaps(one.path, path));
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
      copy.reset();
      refused = [];
      save = { kind: 'saved', at: undefined };
      changed();
    });
    closing = own;
  };

  /** Takes over what others saved, or what this tab asked for in another way (`isOwn`). */
  const refresh = async (isOwn = false) => {
    const fresh = await server.load();
    const { document, saved } = copy.state();
    const base = doubtful.reduce(
      (one, { path, to }) =>
        isEqual(valueAt(fresh.document, path), to) ? withValue(one, path, to) : one,
      saved,
    );
    doubtful = [];
    const others = isOwn ? [] : changesBetween(shape, base, fresh.document);
    copy.takeOver({ base, mine: document, theirs: fresh.document });
    const { conflicts } = copy.state();
    const isAsked = (path: string) => conflicts.some((one) => isWithin(one.path, [path]));
    // A closing tab may have saved what this one took over from it.
    const paths = others
      .filter(({ path, to }) => !isAsked(path) && !isEqual(valueAt(document, path), to))
      .map(({ path }) => path);
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
        const isSent = (change: Change) => patches.some((patch) => isEqual(patch, change));
        doubtful = [...doubtful.filter((one) => !isSent(one)), ...patches];
        throw error;
      }
      refused = [...refused, ...refusals];
      return send(isLast);
    }
    copy.confirm(patches.filter(({ path }) => !result.conflicts.some((one) => one.path === path)));
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
    if (!isOpen || copy.left()) return;
    const left = take();
    if (!left) return;
    const { saved } = copy.state();
    // As if this tab had made the changes of the other one.
    copy.takeOver({ base: left.base, mine: left.document, theirs: saved });
    const paths = changesBetween(shape, saved, copy.state().document).map(({ path }) => path);
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
      if (copy.edit(path, to, { isWhole })) edited(path);
    },
    /** The field lost the focus: its next edit is another change. */
    endChange: copy.endChange,
    /** Takes back the last change. Returns its path; undefined when the value has changed since. */
    undo: () => stepped(copy.undo()),
    redo: () => stepped(copy.redo()),
    /** Decides a conflict. The value that is not kept can be had by `undo`. */
    resolve(conflict: OpenConflict, kept: 'mine' | 'theirs') {
      copy.resolve(conflict, kept);
      edited(conflict.path);
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
    /** Calls the server between two saves: none of this tab changes the revision meanwhile. */
    inTurn,
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

  function stepped(path: string | undefined): string | undefined {
    if (path === undefined) changed();
    else edited(path);
    return path;
  }
}

/** The live document: the draft without its changes. */
const liveOf = ({ document, changes }: Loaded): Group =>
  changes.reduce((live, { path, from }) => withValue(live, path, from), document);
