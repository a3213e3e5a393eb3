/**
 * Stores the site's document: its draft, the version that is live, and the history. Each act is one transaction; it
 * rejects with `CONTENT_UNREADABLE`, and changes nothing, while the draft or what is live cannot be read.
 */
import type { SiteConfig } from '../../site.defaults.ts';
import {
  type Change,
  type Group,
  isEqual,
  isWithin,
  overlaps,
  valueAt,
} from '../contract/document-changes.ts';
import { pluralize } from '../contract/numbers.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { logAct } from '../database/owner-log.ts';
import { type ReportedAct, recordAct } from '../email/owner-notice.ts';
import { configOf, type Mistake } from './document.ts';
import {
  applyPatches,
  changedAt,
  changesBetween,
  hasValueAt,
  merged,
  withChanges,
} from './patch.ts';
import { photosIn, type UploadedPhoto } from './photos.ts';
import {
  type Act,
  addVersion,
  documentOf,
  documentOfVersion,
  draftOf,
  type FileChanges,
  fileVersion,
  jsonOf,
  keepDraft,
  type Live,
  readFileChanges,
  readLive,
  readState,
  readVersion,
  type State,
  selectDraft,
  selectLive,
  selectPublished,
  selectShown,
  selectVersions,
  setLive,
  storeDraft,
  writeDraft,
} from './rows.ts';

/**
 * Why an act makes no version live: the draft has changed, there is no such version, or a change at `sensitivePaths`
 * needs the password.
 */
type Refusal = 'changed' | 'unknown' | 'unconfirmed';

/** What became of an act that makes a version live. It is refused for mistakes, too. */
export type Published =
  | { version: number; publishedAt: number; revision: number }
  | { mistakes: Mistake[] }
  | Refusal;

/** What an act would make live, with the mistakes that keep it from that. */
type Plan = { state: State; document: Group; mistakes: Mistake[] } | Refusal;

/** An act that makes a version live. */
interface PublishAct extends Act {
  mistakesIn: (document: Group, photos: readonly UploadedPhoto[]) => Mistake[];
  /** Makes the pages of a document; what it rejects with is thrown, and nothing is published. */
  prepare: (document: Group) => Promise<void>;
  /** Whether the owner has typed the password lately. */
  isConfirmed: boolean;
  /** Makes the act that is recorded of what is published. */
  actOn: (detail: string) => ReportedAct;
  /** Runs before it, in the same transaction. */
  first?: () => Statements<void>;
}

/** Where a stolen session could send payments, visitors or messages elsewhere. */
const sensitivePaths = [
  'links.checkout',
  'paymentLinks',
  'schedulers',
  'optInScript',
  'optIn',
  'brand.email',
];

export type ContentStore = ReturnType<typeof createContentStore>;

export function createContentStore(database: Database) {
  /** Prepares what the plan would make live, then makes live what it says by then. */
  const makeLive = async (
    planOf: () => Statements<Plan>,
    {
      prepare,
      isConfirmed,
      first,
      ...act
    }: { note?: string | undefined } & Omit<PublishAct, 'mistakesIn'>,
  ): Promise<Published> => {
    const plan = function* (): Statements<Plan> {
      const made = yield* planOf();
      if (isConfirmed || typeof made === 'string' || made.mistakes.length > 0) return made;
      const sensitive = changedAt(sensitivePaths, made.state.live.document, made.document);
      return sensitive.length > 0 ? 'unconfirmed' : made;
    };
    const planned = await database.read(plan);
    if (typeof planned === 'string') return planned;
    if (planned.mistakes.length === 0) await prepare(planned.document);
    return database.write(function* (): Statements<Published> {
      const current = yield* plan();
      if (typeof current === 'string') return current;
      const { state, document, mistakes } = current;
      if (mistakes.length > 0) return { mistakes };
      if (first) yield* first();
      return yield* publish(state, { document, ...act });
    });
  };

  return {
    /** Increases with each change of what is live; 0 before the first. */
    counter: async (): Promise<number> =>
      (await database.read(() => get(selectLive)))?.counter ?? 0,

    /** The counter with what is live: the document as a config, `file`, or one that cannot be used (undefined). */
    live: (file: SiteConfig) =>
      database.read(function* (): Statements<{ counter: number; config: SiteConfig | undefined }> {
        const live = yield* get(selectLive);
        const counter = live?.counter ?? 0;
        if (live?.version == null) return { counter, config: file };
        return { counter, config: configOf(yield* documentOfVersion(live.version, file)) };
      }),

    /** The newest published version before the version `before`, by default the live one, that can be read. */
    publishedBefore: (file: SiteConfig, before?: number) =>
      database.read(function* (): Statements<{ id: number; config: SiteConfig } | undefined> {
        let last = before ?? (yield* get(selectLive))?.version ?? 0;
        for (;;) {
          const row = yield* get(selectPublished, [last]);
          if (!row) return undefined;
          const config = configOf(documentOf(row, file));
          if (config) return { id: row.id, config };
          last = row.id;
        }
      }),

    /** Versions after `after` (an id) that a site may have shown, the newest first; undefined: one cannot be read. */
    shownAfter: async (after: number, { file, limit }: { file: SiteConfig; limit: number }) =>
      (await database.read(() => all(selectShown, [after, limit]))).map((row) => ({
        id: row.id,
        config: configOf(documentOf(row, file)),
      })),

    /** The document that is live, completed. */
    liveDocument: async (file: SiteConfig): Promise<Group> =>
      (await database.read(() => readLive(file))).document,

    /** The document of a version, completed; undefined when there is none that can be read. */
    version: (id: number, file: SiteConfig): Promise<Group | undefined> =>
      database.read(() => documentOfVersion(id, file)),

    /** What is live, the draft and its revision, and what the file would change in it, from one snapshot. */
    state: (file: SiteConfig): Promise<State & { fileChanges: FileChanges | null }> =>
      database.read(function* () {
        const state = yield* readState(file);
        return { ...state, fileChanges: yield* readFileChanges(state, file) };
      }),

    /** Adds what `site.config.ts` says to the history when it has changed beside a published site. */
    recordFile: (act: Act): Promise<void> =>
      database.write(function* () {
        const live = yield* get(selectLive);
        if (live?.version != null) yield* fileVersion(act);
      }),

    /** Applies applicable patches to the draft. */
    save: ({ file, now, patches }: Act & { patches: readonly Change[] }) =>
      database.write(function* () {
        const state = yield* readState(file);
        const { document, conflicts } = applyPatches(state.draft, patches);
        const revision = yield* storeDraft(state, document, { file, now });
        return { revision, document, conflicts };
      }),

    /** Replaces the draft; the one before stays in the history, also one that cannot be read. Returns the revision. */
    replaceDraft: ({ file, now, document }: Act & { document: Group }): Promise<number> =>
      database.write(function* () {
        const live = yield* readLive(file);
        const stored = yield* get(selectDraft);
        if (stored?.document != null && !draftOf(stored.document, file)) {
          yield* addVersion({ json: stored.document, state: 'discarded', paths: [], now });
          return yield* writeDraft(stored.revision + 1, { live, document, file, now });
        }
        const state = yield* readState(file);
        yield* keepDraft(state, now);
        return yield* storeDraft(state, document, { file, now });
      }),

    /** The draft equals what is live again; it stays in the history. Returns the revision. */
    discard: ({ file, now }: Act): Promise<number> =>
      database.write(function* () {
        const state = yield* readState(file);
        yield* keepDraft(state, now);
        return yield* storeDraft(state, state.live.document, { file, now });
      }),

    /**
     * Makes the draft of this revision live; with `paths`, only its changes there, and the rest stays a draft. A change
     * around a path goes live whole, and mistakes elsewhere count unless the live site has them, too.
     */
    publish: ({
      file,
      revision,
      paths,
      mistakesIn,
      ...act
    }: PublishAct & {
      revision: number;
      note?: string | undefined;
      paths?: readonly string[] | undefined;
    }): Promise<Published> =>
      makeLive(
        function* (): Statements<Plan> {
          const state = yield* readState(file);
          if (state.revision !== revision) return 'changed';
          const { live, draft } = state;
          if (!paths) {
            const mistakes = mistakesIn(draft, yield* photosIn(draft));
            return { state, document: draft, mistakes };
          }
          const all = changesBetween(live.document, draft);
          const changes = all.filter((one) => paths.some((path) => overlaps(one.path, path)));
          const unknown = paths.flatMap((path, i) =>
            hasValueAt(live.document, path) || hasValueAt(draft, path)
              ? []
              : [{ path: `paths.${i}`, message: 'The site has no such field.' }],
          );
          if (unknown.length > 0) return { state, document: draft, mistakes: unknown };
          return yield* partialPlan(state, changes, mistakesIn);
        },
        { file, ...act },
      ),

    /** Makes values live by their path. The draft keeps its other changes. */
    publishValues: ({
      file,
      values,
      mistakesIn,
      ...act
    }: PublishAct & { values: readonly { path: string; to: unknown }[] }): Promise<Published> =>
      makeLive(
        function* (): Statements<Plan> {
          const state = yield* readState(file);
          const changes = values.map(({ path, to }) => ({
            ...{ path, to, from: valueAt(state.live.document, path) },
          }));
          return yield* partialPlan(state, changes, mistakesIn);
        },
        { file, ...act },
      ),

    /** The draft equals a version; the draft before stays in the history. Returns undefined when there is none. */
    restore: ({ file, now, version }: Act & { version: number }): Promise<number | undefined> =>
      database.write(function* () {
        const document = yield* readVersion(version, file);
        if (!document) return undefined;
        const state = yield* readState(file);
        yield* keepDraft(state, now);
        return yield* storeDraft(state, document, { file, now });
      }),

    /** Makes a version live again. Changes that are not published yet stay in the draft. */
    republish: ({
      file,
      version,
      mistakesIn,
      ...act
    }: PublishAct & { version: number }): Promise<Published> =>
      makeLive(
        function* (): Statements<Plan> {
          const document = yield* readVersion(version, file);
          if (!document) return 'unknown';
          const mistakes = mistakesIn(document, yield* photosIn(document));
          return { state: yield* readState(file), document, mistakes };
        },
        { file, ...act },
      ),

    /** Makes `site.config.ts` live again. The history and the draft stay. */
    useFile: ({ now }: { now: number }): Promise<void> =>
      database.write(function* () {
        yield* run(setLive, [null, now]);
        const detail = 'site.config.ts, by npm run admin -- content use-file';
        yield* logAct({ at: now, act: 'site_published', browser: null, detail });
      }),

    /** Versions before `before` (its id), the newest first. */
    versions: async ({ before, limit }: { before?: number | undefined; limit: number }) =>
      (
        await database.read(() => all(selectVersions, [before ?? Number.MAX_SAFE_INTEGER, limit]))
      ).map(({ paths, ...row }) => ({ ...row, paths: JSON.parse(paths) as string[] })),
  };
}

/** What these changes alone would make live. Mistakes elsewhere count unless the live site has them, too. */
function* partialPlan(
  state: State,
  changes: readonly Change[],
  mistakesIn: PublishAct['mistakesIn'],
): Statements<Plan> {
  const live = state.live.document;
  const document = withChanges(live, changes);
  const changed = changes.map(({ path }) => path);
  const known = mistakesIn(live, yield* photosIn(live));
  const mistakes = mistakesIn(document, yield* photosIn(document)).filter(
    (one) => isWithin(one.path, changed) || !known.some((old) => isEqual(old, one)),
  );
  return { state, document, mistakes };
}

/** Makes a document live, unless it is already. The draft keeps what is not in it. */
function* publish(
  state: State,
  {
    document,
    note,
    actOn,
    ...act
  }: { document: Group; note?: string | undefined } & Pick<PublishAct, 'file' | 'now' | 'actOn'>,
): Statements<Published> {
  const { live, draft, revision } = state;
  const changes = changesBetween(live.document, document);
  if (live.version && changes.length === 0) {
    const { id, publishedAt } = live.version;
    return { version: id, publishedAt, revision };
  }
  const { now } = act;
  if (!live.version) yield* fileVersion(act);
  const paths = changes.map(({ path }) => path);
  const json = jsonOf(document);
  const version = yield* addVersion({ json, state: 'published', note, paths, now });
  yield* run(setLive, [version, now]);
  const sensitive = changedAt(sensitivePaths, live.document, document);
  const made = actOn([pluralize(changes.length, 'change'), ...sensitive].join(', '));
  yield* recordAct(sensitive.length > 0 ? made : { ...made, notice: undefined });
  const next: Live = { document, version: { id: version, publishedAt: now } };
  // As `readState` would merge it from now on.
  const rest = merged(live.document, draft, document);
  return {
    version,
    publishedAt: now,
    revision: yield* writeDraft(revision + 1, { live: next, document: rest, ...act }),
  };
}
