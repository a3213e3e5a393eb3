/** Schemas of what the API returns, shared by the procedures. */
import { z } from 'zod';

/** A time in ISO 8601, UTC. Not checked when it is sent: `toISOString` writes no other. */
export const isoTime = z.string().meta({ format: 'date-time' });

/** A local date such as `2026-11-25`. */
export const localDate = z.string().meta({ format: 'date' });

/** A number of things. */
export const count = z.int().nonnegative();

/** The object without its null fields, as the API sends it. */
export const withoutNulls = <T extends object>(row: T) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<T>;

type WithoutNulls<T> = { [Key in keyof T as null extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as null extends T[Key] ? Key : never]?: NonNullable<T[Key]>;
};

/** A field that is left out while it is undefined. The type requires it, so that no response forgets it. */
export const omittable = <S extends z.ZodType>(
  schema: S,
): z.ZodType<z.output<S> | undefined, z.input<S> | undefined> => schema.optional();

/** What a mutation returns once it is done. */
export const done = z.object({ ok: z.literal(true) });
