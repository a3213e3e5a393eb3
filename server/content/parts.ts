/** The parts of a schema made of `kinds.ts`: groups, lists, records, texts and numbers. */
import { z } from 'zod';
import { isGroup } from '../contract/document-changes.ts';
import { storableText } from '../text/storable.ts';

/** A schema without what wraps it. */
function inner(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return inner(schema.def.innerType);
  return schema instanceof z.ZodPipe ? inner(schema.def.in) : schema;
}

/** The schemas of a group's fields by name; undefined for another part. */
export function fieldsOf(
  schema: z.core.$ZodType | undefined,
): Readonly<Record<string, z.core.$ZodType>> | undefined {
  const part = schema && inner(schema);
  return part instanceof z.ZodObject ? part.shape : undefined;
}

/** The schema of a list's entries; undefined for another part. */
export function entryOf(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  const part = schema && inner(schema);
  return part instanceof z.ZodArray ? part.element : undefined;
}

/** The schema of the field or list entry `key`; undefined where there is none. */
export function partAt(
  schema: z.core.$ZodType | undefined,
  key: string,
): z.core.$ZodType | undefined {
  const fields = fieldsOf(schema);
  if (fields) return Object.hasOwn(fields, key) ? fields[key] : undefined;
  return /^(0|[1-9]\d{0,3})$/.test(key) ? entryOf(schema) : undefined;
}

/**
 * Whether the value has the types of the schema and all its fields, whatever its texts say. Fields that the schema
 * does not have may be there.
 */
export function fits(schema: z.core.$ZodType, value: unknown): boolean {
  if (value === undefined) return schema instanceof z.ZodOptional;
  const part = inner(schema);
  if (part instanceof z.ZodString) return storableText.safeParse(value).success;
  if (part instanceof z.ZodArray) {
    return Array.isArray(value) && value.every((entry) => fits(part.element, entry));
  }
  if (part instanceof z.ZodObject) {
    return (
      isGroup(value) &&
      Object.entries<z.core.$ZodType>(part.shape).every(([key, field]) => fits(field, value[key]))
    );
  }
  if (part instanceof z.ZodRecord) {
    return isGroup(value) && Object.values(value).every((entry) => fits(part.valueType, entry));
  }
  return Number.isFinite(value);
}

/** The value without fields that the schema does not have. */
export function known(schema: z.core.$ZodType, value: unknown): unknown {
  const [fields, entry] = [fieldsOf(schema), entryOf(schema)];
  if (entry && Array.isArray(value)) return value.map((one) => known(entry, one));
  if (!fields || !isGroup(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => {
      const part = partAt(schema, key);
      return part ? [[key, known(part, field)]] : [];
    }),
  );
}

/** The value with the fields of `defaults` that its groups lack. Lists and records stay as they are. */
export function filled(schema: z.core.$ZodType, value: unknown, defaults: unknown): unknown {
  if (value === undefined) return defaults;
  const fields = fieldsOf(schema);
  if (!fields || !isGroup(value) || !isGroup(defaults)) return value;
  const missing = Object.entries(fields).flatMap(([key, part]) => {
    const field = filled(part, value[key], defaults[key]);
    return field === undefined ? [] : [[key, field]];
  });
  return { ...value, ...Object.fromEntries(missing) };
}
