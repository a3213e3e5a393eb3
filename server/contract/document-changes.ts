/**
 * Changes of the site's document by path, such as `hero.title` or `faq.items.1.question`, for the server and for the
 * editor. A document is JSON: groups of fields, lists of entries, and values.
 */

export type Group = Record<string, unknown>;

/** A value that replaces another one at a path. */
export interface Change {
  path: string;
  from?: unknown;
  to?: unknown;
}

/** The types of a document's places. `Place` stands for one place. */
export interface Shape<Place> {
  root: Place;
  /** The place of a field or entry. */
  at(place: Place, key: string): Place;
  /** What is at a place; `value` is compared as a whole. */
  kind(place: Place): 'group' | 'list' | 'value';
}

/** Whether the value is an object of JSON. One with the key `__proto__` is none: a copy could lose it. */
export const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !Object.hasOwn(value, '__proto__');

/** Whether two values are the same JSON. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual((a as Group)[key], (b as Group)[key]))
  );
}

/** The value at a path; undefined where there is none. */
export const valueAt = (document: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (part, key) =>
        typeof part === 'object' && part !== null && Object.hasOwn(part, key)
          ? (part as Group)[key]
          : undefined,
      document,
    );

/** A copy with another value at a path whose parents exist. Undefined removes a field. */
export const withValue = (document: Group, path: string, to: unknown): Group =>
  replaced(document, path.split('.'), to) as Group;

function replaced(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value)) {
    return value.map((entry, i) => (String(i) === key ? replaced(entry, rest, to) : entry));
  }
  const group = isGroup(value) ? value : {};
  const { [key]: part, ...others } = group;
  const next = replaced(part, rest, to);
  return next === undefined ? others : { ...group, [key]: next };
}

/** Whether a path is one of the paths, or beneath it. */
export const isWithin = (path: string, paths: readonly string[]): boolean =>
  paths.some((one) => path === one || path.startsWith(`${one}.`));

/** Whether one path is the other, or beneath it. */
export const overlaps = (one: string, other: string): boolean =>
  isWithin(one, [other]) || isWithin(other, [one]);

/** The differences between two documents: single fields, but a whole list where its length or order differs. */
export const changesBetween = <Place>(shape: Shape<Place>, from: Group, to: Group): Change[] =>
  differences(shape, shape.root, { path: '', from, to });

function differences<Place>(
  shape: Shape<Place>,
  place: Place,
  { path, from, to }: Change,
): Change[] {
  if (isEqual(from, to)) return [];
  if (!hasParts(shape.kind(place), from, to)) return [{ path, from, to }];
  const [before, after] = [from as Group, to as Group];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(shape, shape.at(place, key), {
      path: path === '' ? key : `${path}.${key}`,
      from: before[key],
      to: after[key],
    }),
  );
}

/** Both sides of two changes of the same document. */
interface Versions {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

/** A value that both sides changed, each in another way. */
export interface Conflict {
  path: string;
  mine: unknown;
  theirs: unknown;
}

/**
 * Applies the differences between `base` and `mine` to `theirs`. Where both changed a value, mine counts, and
 * `onConflict` is called.
 */
export const merged = <Place>(
  shape: Shape<Place>,
  versions: { base: Group; mine: Group; theirs: Group },
  onConflict: (conflict: Conflict) => void = () => {},
): Group => mergedPart(shape, shape.root, '', versions, onConflict) as Group;

function mergedPart<Place>(
  shape: Shape<Place>,
  place: Place,
  path: string,
  { base, mine, theirs }: Versions,
  onConflict: (conflict: Conflict) => void,
): unknown {
  if (isEqual(base, mine)) return theirs;
  if (isEqual(base, theirs) || isEqual(mine, theirs)) return mine;
  const kind = shape.kind(place);
  if (!hasParts(kind, base, mine) || !hasParts(kind, base, theirs)) {
    const list = kind === 'list' ? mergedLists({ base, mine, theirs }) : undefined;
    if (!list) onConflict({ path, mine, theirs });
    return list ?? mine;
  }
  const [old, own, other] = [base, mine, theirs].map((value) => value as Group);
  const keys = new Set([...Object.keys(other ?? {}), ...Object.keys(own ?? {})]);
  const parts = [...keys].flatMap((key) => {
    const values = { base: old?.[key], mine: own?.[key], theirs: other?.[key] };
    const partPath = path === '' ? key : `${path}.${key}`;
    const value = mergedPart(shape, shape.at(place, key), partPath, values, onConflict);
    return value === undefined ? [] : [[key, value]];
  });
  return Array.isArray(mine) ? parts.map(([, value]) => value) : Object.fromEntries(parts);
}

/**
 * Merges two lists of which one side added, removed or moved entries, and the other edited some in place or only added
 * some. Undefined when it is unclear which entry is which, or an edited entry was removed.
 */
function mergedLists({ base, mine, theirs }: Versions): unknown[] | undefined {
  const lists = [base, mine, theirs];
  if (!lists.every(Array.isArray)) return undefined;
  const [old, own, other] = lists as [unknown[], unknown[], unknown[]];
  const apply = (moved: unknown[], edited: unknown[]) => {
    if (!hasParts('list', old, edited)) return undefined;
    const edits = old.flatMap((entry, i) =>
      isEqual(entry, edited[i]) ? [] : [{ entry, to: edited[i] }],
    );
    const isClear = edits.every(
      ({ entry }) => moved.filter((one) => isEqual(one, entry)).length === 1,
    );
    if (!isClear) return undefined;
    return moved.map((one) => {
      const edit = edits.find(({ entry }) => isEqual(one, entry));
      return edit ? edit.to : one;
    });
  };
  const extend = (moved: unknown[], longer: unknown[]) => {
    const isOld = (one: unknown) => old.some((entry) => isEqual(one, entry));
    if (!isEqual(longer.filter(isOld), old)) return undefined;
    const added = longer.filter((one) => !isOld(one));
    return [...moved, ...added.filter((one) => !moved.some((entry) => isEqual(one, entry)))];
  };
  return apply(own, other) ?? apply(other, own) ?? extend(own, other) ?? extend(other, own);
}

/** Whether two values are compared part by part: groups, and lists whose entries have the same order. */
function hasParts(kind: 'group' | 'list' | 'value', from: unknown, to: unknown): boolean {
  if (kind === 'group') return isGroup(from) && isGroup(to);
  if (kind !== 'list' || !Array.isArray(from) || !Array.isArray(to)) return false;
  // An entry that stands elsewhere now was moved, and not edited; one with another id is another entry.
  return (
    from.length === to.length &&
    !from.some(
      (entry, i) =>
        !isEqual(entry, to[i]) &&
        (idOf(entry) !== idOf(to[i]) || to.some((other) => isEqual(entry, other))),
    )
  );
}

const idOf = (entry: unknown) => (isGroup(entry) ? entry.id : undefined);
