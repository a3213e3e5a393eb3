/** Changes of the document by path, such that two browsers that edit it lose nothing. */
import type { z } from 'zod';
import {
  type Change,
  changesBetween as changesIn,
  type Group,
  isEqual,
  isGroup,
  merged as mergedIn,
  type Shape,
  valueAt,
  withValue,
} from '../contract/document-changes.ts';
import { toStorable } from '../text/storable.ts';
import { documentSchema, inLanguage } from './document.ts';
import { traitsOf } from './kinds.ts';
import { fits, partAt } from './parts.ts';

/** The shape of the document by its schema: fields of the form are values, also the hours of a day. */
export const documentShape: Shape<z.core.$ZodType | undefined> = {
  root: documentSchema,
  at: partAt,
  kind: (part) => {
    const kind = part && traitsOf(part)?.kind;
    return kind === 'group' || kind === 'list' ? kind : 'value';
  },
};

/** A patch that was not applied, because another browser had changed the same value. */
interface Conflict {
  path: string;
  yours: unknown;
  /** Null where another browser removed it. */
  theirs: unknown;
}

/** The patch with texts that both databases store, also that of a browser which had others. */
export const storable = ({ path, from, to }: Change): Change => ({
  path,
  from: storableValue(from),
  to: storableValue(to),
});

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (!isGroup(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, storableValue(one)]));
}

/** Whether the schema has a value at the path of the patch, and its new value has the types of one. */
export function isApplicable({ path, to }: Change): boolean {
  const part = path
    .split('.')
    .reduce<z.core.$ZodType | undefined>((part, key) => partAt(part, key), documentSchema);
  return part !== undefined && fits(part, to);
}

/**
 * Applies applicable patches in their order. One is a conflict unless the value at its path is `from`, or `to` already,
 * as after a response that was lost.
 */
export function applyPatches(document: Group, patches: readonly Change[]) {
  const conflicts: Conflict[] = [];
  let patched = document;
  for (const { path, from, to } of patches) {
    const theirs = valueAt(patched, path);
    if (isEqual(theirs, from)) patched = withValue(patched, path, to);
    // Also where the entry to change is gone.
    if (!isEqual(valueAt(patched, path), to)) {
      conflicts.push({ path, yours: to, theirs: theirs ?? null });
    }
  }
  return { document: inLanguageOf(patched, document), conflicts };
}

/** A document changed from another one, of which it has the words: those of the language follow when that changes. */
const inLanguageOf = (changed: Group, { language }: Group): Group =>
  inLanguage({ ...changed, language }, changed.language);

/**
 * The differences between two documents: single fields, but a whole list where its length or order differs. Of a change
 * of the language, which is one, the words that follow are none.
 */
export const changesBetween = (from: Group, to: Group): Change[] =>
  changesIn(documentShape, { ...inLanguage(from, to.language), language: from.language }, to);

/** The document with these differences to another one. */
export const withChanges = (document: Group, changes: readonly Change[]): Group =>
  inLanguageOf(
    changes.reduce((changed, { path, to }) => withValue(changed, path, to), document),
    document,
  );

/** Whether a document has a value at the path. */
export const hasValueAt = (document: Group, path: string): boolean =>
  valueAt(document, path) !== undefined;

/** Those of the paths whose values differ between two documents. */
export const changedAt = (paths: readonly string[], from: Group, to: Group): string[] =>
  paths.filter((path) => !isEqual(valueAt(from, path), valueAt(to, path)));

/** Applies the differences between `base` and `mine` to `theirs`. Where both differ from `base`, mine counts. */
export const merged = (base: Group, mine: Group, theirs: Group): Group =>
  mergedIn(documentShape, { base, mine, theirs });
