/** For tests: the site's document as JSON, and random edits of it. */
import fc from 'fast-check';
import { z } from 'zod';
import { documentSchema } from '../content/document.ts';
import { entryOf, fieldsOf, fits } from '../content/parts.ts';
import type { Change } from '../contract/document-changes.ts';
import { toStorable } from '../text/storable.ts';
import { anyText } from './any-text.ts';
import { site } from './sample-config.ts';

type Json = Record<string, unknown>;

/** A copy of the sample as the database returns it, with some fields changed. */
export const documentWith = (changes: Record<string, unknown> = {}): Json =>
  structuredClone({ ...site, ...changes });

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, key) => (part as Json | undefined)?.[key], value);

function pathsIn(value: unknown, isWanted: (value: unknown) => boolean, path = ''): string[] {
  const own = path !== '' && isWanted(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return own;
  const parts = Object.entries(value).flatMap(([key, part]) =>
    pathsIn(part, isWanted, path === '' ? key : `${path}.${key}`),
  );
  return [...own, ...parts];
}

const isRecord = (path: string) => /^(calls\.special|optIn\.(attributes|place))\b/.test(path);
const textPaths = pathsIn(site, (value) => typeof value === 'string').filter(
  (path) => !isRecord(path),
);
const listPaths = pathsIn(site, Array.isArray).filter((path) => !isRecord(path));

/** Makes the patch that a browser sends whose document is this one; undefined where the entry is gone. */
export type Edit = (document: unknown) => Change | undefined;

const textEdit = fc.tuple(fc.constantFrom(...textPaths), fc.string({ unit: 'grapheme' })).map(
  ([path, to]): Edit =>
    (document) => {
      const from = at(document, path);
      return typeof from === 'string' && from !== to ? { path, from, to } : undefined;
    },
);

const listEdit = fc
  .tuple(fc.constantFrom(...listPaths), fc.constantFrom('add', 'remove', 'move'), fc.nat(9))
  .map(
    ([path, kind, n]): Edit =>
      (document) => {
        const from = at(document, path);
        if (!Array.isArray(from) || from.length === 0) return undefined;
        const i = n % from.length;
        const without = from.toSpliced(i, 1);
        const to = { add: [...from, from[i]], remove: without, move: [from[i], ...without] }[kind];
        return { path, from, to };
      },
  );

/** The edits of one browser. */
export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: textEdit }, { weight: 1, arbitrary: listEdit }),
  { maxLength: 12 },
);

const anyStorable = anyText({ maxLength: 40 }).map(toStorable);

function anyValue(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional) return anyValue(schema.def.innerType);
  const [fields, entry] = [fieldsOf(schema), entryOf(schema)];
  if (fields) {
    return fc.record(
      Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, anyValue(field)])),
      { noNullPrototype: true },
    );
  }
  if (entry) return fc.array(anyValue(entry), { maxLength: 3 });
  if (fits(schema, 'text')) return anyStorable;
  if (!(schema instanceof z.ZodRecord)) return fc.integer();
  const key = anyStorable.filter((name) => name !== '__proto__');
  return fc.dictionary(key, anyValue(schema.valueType), { maxKeys: 3, noNullPrototype: true });
}

/** Documents with any texts, of the types of the schema. */
export const documents = anyValue(documentSchema).map((value) => value as Json);
