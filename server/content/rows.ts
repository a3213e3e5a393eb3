/** The rows of the site's document: what is live, the draft and the versions. Statements run in the caller's transaction. */
import type { SiteConfig } from '../../site.defaults.ts';
import { type Change, type Group, isEqual } from '../contract/document-changes.ts';
import { columns, max } from '../database/columns.ts';
import { get, run, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { ApiError } from '../trpc/errors.ts';
import { complete, configOf, withoutWords } from './document.ts';
import { changesBetween, isApplicable, merged } from './patch.ts';

/** How documents are written. Releases that cannot read a later format show what they can. */
const documentFormat = 1;

/** The document that is live, completed. Times are milliseconds since 1970, UTC. */
export interface Live {
  document: Group;
  /** Undefined: `site.config.ts` is live, also because the published version cannot be used. */
  version: { id: number; publishedAt: number } | undefined;
}

export interface State {
  live: Live;
  revision: number;
  /** Equals `live.document` when there is no draft. */
  draft: Group;
}

/** An act of the owner. `file` is the config of `site.config.ts`, which is live until the first publish. */
export interface Act {
  file: SiteConfig;
  /** Milliseconds since 1970, UTC. */
  now: number;
}

/** The error of an act on content that this release cannot read: a guess would lose what is stored. */
const unreadable = (what: 'published site' | 'draft of the site') =>
  new ApiError('CONTENT_UNREADABLE', {
    words: { what, command: what === 'published site' ? 'use-file' : 'import site.config.ts' },
  });

export const selectLive = sql`SELECT ${columns('site_live', 'version', 'counter')} FROM site_live`;
export const selectDraft = sql`SELECT ${columns('site_draft', 'revision', 'document', {
  basedOn: 'based_on',
})} FROM site_draft`;
const versionColumns = columns('site_version', 'id', 'format', 'document', { madeAt: 'made_at' });
const selectVersion = sql`SELECT ${versionColumns} FROM site_version WHERE id = ?`;
export const selectPublished = sql`SELECT ${versionColumns} FROM site_version
  WHERE state = 'published' AND id < ? ORDER BY id DESC LIMIT 1`;
export const selectVersions = sql`SELECT ${columns('site_version', 'id', 'state', 'note', 'paths', {
  madeAt: 'made_at',
})} FROM site_version WHERE id < ? ORDER BY id DESC LIMIT ?`;
export const selectShown = sql`SELECT ${versionColumns} FROM site_version
  WHERE state <> 'discarded' AND id > ? ORDER BY id DESC LIMIT ?`;
const selectLastId = sql`SELECT ${columns('site_version', { id: max('id') })} FROM site_version`;
const selectFile = sql`SELECT ${versionColumns} FROM site_version
  WHERE state = 'file' AND id < ? ORDER BY id DESC LIMIT 1`;
export const setLive = `INSERT INTO site_live (id, version, counter, changed_at) VALUES (1, ?, 1, ?)
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, counter = site_live.counter + 1,
    changed_at = excluded.changed_at`;

/** How a document is stored. */
export const jsonOf = (document: Group): string => JSON.stringify(withoutWords(document));

/** A stored document, completed; undefined when it is damaged, or of a release that writes other ones. */
export function documentOf(
  { document: json, format = documentFormat }: { document: string; format?: number },
  file: SiteConfig,
): Group | undefined {
  if (format > documentFormat) return undefined;
  let document: unknown;
  try {
    document = complete(JSON.parse(json), file);
  } catch {
    return undefined;
  }
  return configOf(document) && (document as Group);
}

export function* documentOfVersion(id: number, file: SiteConfig): Statements<Group | undefined> {
  const row = yield* get(selectVersion, [id]);
  return row && documentOf(row, file);
}

/** A document that was asked for; undefined when there is no such version. Throws `VERSION_UNREADABLE`. */
export function* readVersion(id: number, file: SiteConfig): Statements<Group | undefined> {
  const row = yield* get(selectVersion, [id]);
  if (!row) return undefined;
  const document = documentOf(row, file);
  if (!document) throw new ApiError('VERSION_UNREADABLE');
  return document;
}

/** A draft has no format: a release that writes another one can convert it in its migration. */
export const draftOf = (document: string, file: SiteConfig) => documentOf({ document }, file);

/** Throws `CONTENT_UNREADABLE`, as `readState` does. */
export function* readLive(file: SiteConfig): Statements<Live> {
  const row = yield* get(selectLive);
  if (row?.version == null) return { document: complete(file, file), version: undefined };
  const version = yield* get(selectVersion, [row.version]);
  const document = version && documentOf(version, file);
  if (!document) throw unreadable('published site');
  return { document, version: { id: version.id, publishedAt: version.madeAt } };
}

export function* readState(file: SiteConfig): Statements<State> {
  const live = yield* readLive(file);
  const stored = yield* get(selectDraft);
  const revision = stored?.revision ?? 0;
  if (stored?.document == null) return { live, revision, draft: live.document };
  const draft = draftOf(stored.document, file);
  if (!draft) throw unreadable('draft of the site');
  const base = stored.basedOn && (yield* documentOfVersion(stored.basedOn, file));
  // Another version may be live since, or site.config.ts have changed.
  return { live, revision, draft: base ? merged(base, draft, live.document) : draft };
}

/** What a `site.config.ts` that has changed since the last publish would change in the draft. */
export interface FileChanges {
  /** The version of the file. */
  version: number;
  /** Of the draft. What the owner edited elsewhere, such as another entry of a list, is in `to`. */
  changes: Change[];
}

/** Null while the file is live itself, and when it has changed nothing that the draft lacks. */
export function* readFileChanges(
  { live, draft }: State,
  file: SiteConfig,
): Statements<FileChanges | null> {
  if (!live.version) return null;
  const newest = yield* get(selectFile, [Number.MAX_SAFE_INTEGER]);
  if (!newest || newest.id < live.version.id) return null;
  const before = yield* get(selectFile, [live.version.id]);
  const base = before && documentOf(before, file);
  const mine = documentOf(newest, file);
  if (!base || !mine) return null;
  // Without fields of other releases, which no patch changes.
  const changes = changesBetween(draft, merged(base, mine, draft)).filter(isApplicable);
  return changes.length > 0 ? { version: newest.id, changes } : null;
}

/** Stores another draft, or that there is none; returns its revision. */
export function* storeDraft({ live, revision, draft }: State, document: Group, act: Act) {
  if (isEqual(document, draft)) return revision;
  return yield* writeDraft(revision + 1, { live, document, ...act });
}

export function* writeDraft(
  revision: number,
  { live, document, file, now }: { live: Live; document: Group } & Act,
): Statements<number> {
  const isNone = isEqual(document, live.document);
  const basedOn = isNone ? null : (live.version?.id ?? (yield* fileVersion({ file, now })));
  yield* run(
    `INSERT INTO site_draft (id, revision, document, based_on, changed_at) VALUES (1, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, document = excluded.document,
       based_on = excluded.based_on, changed_at = excluded.changed_at`,
    [revision, isNone ? null : jsonOf(document), basedOn, now],
  );
  return revision;
}

/** Adds the draft to the history before it ends. */
export function* keepDraft({ live, draft }: State, now: number): Statements<void> {
  const paths = changesBetween(live.document, draft).map(({ path }) => path);
  if (paths.length === 0) return;
  yield* addVersion({ json: jsonOf(draft), state: 'discarded', paths, now });
}

/** The version of what `site.config.ts` says, which is added when it says something new. */
export function* fileVersion({ file, now }: Act): Statements<number> {
  const document = complete(file, file);
  const last = yield* get(selectFile, [Number.MAX_SAFE_INTEGER]);
  const before = last && documentOf(last, file);
  const paths = before ? changesBetween(before, document).map(({ path }) => path) : [];
  if (last && before && paths.length === 0) return last.id;
  return yield* addVersion({ json: jsonOf(document), state: 'file', paths, now });
}

export function* addVersion({
  json,
  state,
  note,
  paths,
  now,
}: {
  json: string;
  state: 'published' | 'discarded' | 'file';
  note?: string | undefined;
  paths: string[];
  now: number;
}): Statements<number> {
  const last = yield* get(selectLastId);
  const id = (last?.id ?? 0) + 1;
  yield* run(
    `INSERT INTO site_version (id, made_at, format, document, state, note, paths)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [id, now, documentFormat, json, state, note ?? null, JSON.stringify(paths)],
  );
  return id;
}
