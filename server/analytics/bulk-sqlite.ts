/** Reading and writing the whole of it: for the owner's command line, not for visitors. */
import { randomInt } from 'node:crypto';
import type { Sqlite } from '../database/sqlite.ts';
import { countAll, kinds } from './counters-sqlite.ts';
import type { Conversion, PastMark } from './store.ts';

const pageLength = 1000;

export function isEmpty(database: Sqlite): boolean {
  const row = database.read((tx) =>
    tx.get<{ n: number }>(
      'SELECT EXISTS (SELECT 1 FROM mark) + EXISTS (SELECT 1 FROM conversion) AS n',
    ),
  );
  return row?.n === 0;
}

export function addPast(database: Sqlite, marks: readonly PastMark[]): Promise<void> {
  return database.write((tx) => {
    // Consecutive from anywhere: two of a millisecond stay two, also beside a live one.
    const serial = randomInt(2 ** 47);
    const rows = marks.map(({ activity, control, at }, i) => [
      kinds[activity],
      at,
      serial + i,
      control,
    ]);
    // As one value: the driver's price is by the call, and this is one call.
    tx.run(
      `INSERT INTO mark (kind, at, serial, control)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
      [JSON.stringify(rows)],
    );
    countAll(tx, marks);
  });
}

/** Reads page after page, so that a server beside it is not held up and no sale count is too large. */
export async function* allConversions(database: Sqlite): AsyncGenerator<Conversion> {
  let last = { at: Number.MIN_SAFE_INTEGER, id: '' };
  for (;;) {
    const page = database.read((tx) =>
      tx.all<Conversion>(
        `SELECT id, at, amount, currency, email, source FROM conversion
         WHERE (at, id) > (?, ?) ORDER BY at, id LIMIT ${pageLength}`,
        [last.at, last.id],
      ),
    );
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}
