/** Yields a JSON array of what `toValue` makes of each row, one per line, with one row in memory at a time. */
export async function* jsonChunks<Row>(
  rows: AsyncIterable<Row>,
  toValue: (row: Row) => unknown,
): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const row of rows) {
    yield separator + JSON.stringify(toValue(row));
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n';
}
