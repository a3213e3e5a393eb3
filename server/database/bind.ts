/**
 * The one way to bind a value to a statement. The driver's sharp edges end here: unguarded, a boolean
 * aborts the process, a whole number becomes a floating one, text is cut at NUL, and a missing
 * parameter is silently NULL.
 */
export type Value = string | number | Buffer | null;

/** Checks `values` against the statement's `?` marks and returns them as the driver wants them. */
export function bind(sql: string, values: readonly Value[]): unknown[] {
  const expected = marksIn(sql);
  if (values.length !== expected) {
    throw new TypeError(`The statement takes ${expected} values, not ${values.length}: ${sql}`);
  }
  return values.map(bound);
}

/** The driver binds a number as a floating one unless it is told that it is whole. */
const bound = (value: Value): unknown => {
  const checked = storable(value);
  return typeof checked === 'number' ? BigInt(checked) : checked;
};

/** The value, if it can be stored as it is; throws otherwise. */
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

/** A row as the driver gives it, with bytes as a Buffer: it hands out a bare ArrayBuffer. */
export function unbound(row: unknown): unknown {
  const columns = row as Record<string, unknown>;
  for (const name in columns) {
    const value = columns[name];
    if (value instanceof ArrayBuffer) columns[name] = Buffer.from(value);
  }
  return columns;
}

const counted = new Map<string, number>();

/** Number of `?` marks. Our statements hold no `?` in quotes; the guard's tests say so. */
function marksIn(sql: string): number {
  const known = counted.get(sql);
  if (known !== undefined) return known;
  const count = sql.split('?').length - 1;
  counted.set(sql, count);
  return count;
}
