/** Changes of the document by path, such that two browsers that edit it lose nothing. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { toStorable } from '../text/storable.ts';
import { documentSchema } from './document.ts';
import { entryOf, fieldsOf, fits, type Group, isGroup, partAt } from './parts.ts';

/** Whether two values are the same JSON. */
export const isEqual = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/** Replaces the value at `path`, such as `hero.title` or `faq.items.1.question`, where it is `from`. */
export interface Patch {
  path: string;
  from?: unknown;
  to?: unknown;
}

/** A patch that was not applied, because another browser had changed the same value. */
interface Conflict {
  path: string;
  yours: unknown;
  /** Null where another browser removed it. */
  theirs: unknown;
}

/** The patch with texts that both databases store, also that of a browser which had others. */
export const storable = ({ path, from, to }: Patch): Patch => ({
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
export function isApplicable({ path, to }: Patch): boolean {
  const part = path
    .split('.')
    .reduce<z.core.$ZodType | undefined>((part, key) => partAt(part, key), documentSchema);
  return part !== undefined && fits(part, to);
}

/**
 * Applies applicable patches in their order. One is a conflict unless the value at its path is `from`, or `to` already,
 * as after a response that was lost.
 */
export function applyPatches(document: Group, patches: readonly Patch[]) {
  const conflicts: Conflict[] = [];
  let patched = document;
  for (const { path, from, to } of patches) {
    const keys = path.split('.');
    const theirs = valueAt(patched, keys);
    if (isEqual(theirs, from)) patched = withValue(patched, keys, to) as Group;
    // Also where the entry to change is gone.
    if (!isEqual(valueAt(patched, keys), to)) {
      conflicts.push({ path, yours: to, theirs: theirs ?? null });
    }
  }
  return { document: patched, conflicts };
}

/** The differences between two documents: single fields, but a whole list where its length or order differs. */
export const changesBetween = (from: Group, to: Group): Patch[] =>
  differences(documentSchema, { from, to }, []);

function differences(
  schema: z.core.$ZodType | undefined,
  { from, to }: { from: unknown; to: unknown },
  keys: readonly string[],
): Patch[] {
  if (isEqual(from, to)) return [];
  if (!hasParts(schema, from, to)) return [{ path: keys.join('.'), from, to }];
  const [before, after] = [from as Group, to as Group];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(partAt(schema, key), { from: before[key], to: after[key] }, [...keys, key]),
  );
}

/** The document with these differences to another one. */
export const withChanges = (document: Group, changes: readonly Patch[]): Group =>
  changes.reduce(
    (changed, { path, to }) => withValue(changed, path.split('.'), to) as Group,
    document,
  );

/** Whether a document has a value at the path. */
export const hasValueAt = (document: Group, path: string): boolean =>
  valueAt(document, path.split('.')) !== undefined;

/** Those of the paths whose values differ between two documents. */
export const changedAt = (paths: readonly string[], from: Group, to: Group): string[] =>
  paths.filter((path) => {
    const keys = path.split('.');
    return !isEqual(valueAt(from, keys), valueAt(to, keys));
  });

/** Whether a difference is at one of the paths, or beneath it. */
export const isWithin = ({ path }: { path: string }, paths: readonly string[]): boolean =>
  paths.some((one) => path === one || path.startsWith(`${one}.`));

/** Applies the differences between `base` and `mine` to `theirs`. Where both differ from `base`, mine counts. */
export const merged = (base: Group, mine: Group, theirs: Group): Group =>
  mergedPart(documentSchema, { base, mine, theirs }) as Group;

function mergedPart(
  schema: z.core.$ZodType | undefined,
  { base, mine, theirs }: { base: unknown; mine: unknown; theirs: unknown },
): unknown {
  if (isEqual(base, mine)) return theirs;
  if (isEqual(base, theirs)) return mine;
  if (!hasParts(schema, base, mine) || !hasParts(schema, base, theirs)) return mine;
  const [old, own, other] = [base, mine, theirs].map((value) => value as Group);
  const keys = new Set([...Object.keys(other ?? {}), ...Object.keys(own ?? {})]);
  const parts = [...keys].flatMap((key) => {
    const values = { base: old?.[key], mine: own?.[key], theirs: other?.[key] };
    const value = mergedPart(partAt(schema, key), values);
    return value === undefined ? [] : [[key, value]];
  });
  return Array.isArray(mine) ? parts.map(([, value]) => value) : Object.fromEntries(parts);
}

/** Whether two values are compared part by part: groups, and lists whose entries have the same order. */
function hasParts(schema: z.core.$ZodType | undefined, from: unknown, to: unknown): boolean {
  if (fieldsOf(schema)) return isGroup(from) && isGroup(to);
  if (!entryOf(schema) || !Array.isArray(from) || !Array.isArray(to)) return false;
  // An entry that stands elsewhere now was moved, and not edited.
  return (
    from.length === to.length &&
    !from.some((entry, i) => !isEqual(entry, to[i]) && to.some((other) => isEqual(entry, other)))
  );
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, key)
        ? (part as Group)[key]
        : undefined,
    value,
  );
}

/** A copy with another value at a path whose parents exist. */
function withValue(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value)) {
    return value.map((entry, i) => (String(i) === key ? withValue(entry, rest, to) : entry));
  }
  const group = isGroup(value) ? value : {};
  const { [key]: part, ...others } = group;
  const next = withValue(part, rest, to);
  return next === undefined ? others : { ...group, [key]: next };
}
