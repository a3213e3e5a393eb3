/** A value of a statement or a column. */
export type Value = string | number | Buffer | null;

/**
 * Returns the value if both engines store it unchanged; throws a TypeError otherwise. SQLite would cut
 * text at NUL and store a fraction in an integer column; PostgreSQL would reject the whole batch.
 */
export function storable<T extends Value>(value: T): T {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    throw new TypeError(`Only whole numbers are stored, not ${value}.`);
  }
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new TypeError('Text with NUL or half a surrogate pair cannot be stored.');
    }
    return value;
  }
  throw new TypeError(`A ${typeof value} cannot be stored.`);
}

/** Returns the values of a statement once they are complete and storable; throws a TypeError otherwise. */
export function checkedValues(
  text: string,
  parameterCount: number,
  values: readonly Value[],
): Value[] {
  // SQLite would bind NULL to a parameter without a value.
  if (values.length !== parameterCount) {
    throw new TypeError(
      `The statement takes ${parameterCount} values, not ${values.length}: ${text}`,
    );
  }
  return values.map(storable);
}
