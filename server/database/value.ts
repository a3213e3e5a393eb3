/** A value that a statement binds or a column returns. */
export type Value = string | number | Buffer | null;

/**
 * Returns the value if both engines store it unchanged; throws a TypeError otherwise. SQLite would
 * truncate text at NUL and accept fractions; PostgreSQL would reject the whole batch.
 */
function storable<T extends Value>(value: T): T {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    throw new TypeError(`Only safe integers can be stored, not ${value}.`);
  }
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new TypeError('Text with NUL or half a surrogate pair cannot be stored.');
    }
    return value;
  }
  throw new TypeError(
    `A value of type ${typeof value} cannot be stored. Is a field of the row missing?`,
  );
}

/** Returns the values of a statement; throws a TypeError if one is missing, extra or not storable. */
export function checkedValues(
  text: string,
  parameterCount: number,
  values: readonly Value[],
): Value[] {
  // SQLite silently binds NULL to a parameter without a value.
  if (values.length !== parameterCount) {
    throw new TypeError(
      `The statement takes ${parameterCount} values, not ${values.length}: ${text}`,
    );
  }
  return values.map(storable);
}
