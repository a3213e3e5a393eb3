/** Reading the whole of it: for the owner's command line, not for visitors. */
import type { Sqlite } from '../database/sqlite.ts';
import { saleColumns } from './sales-sqlite.ts';
import type { Conversion } from './store.ts';

const pageLength = 1000;

export function isEmpty(database: Sqlite): boolean {
  const row = database.read((tx) =>
    tx.get<{ n: number }>(
      'SELECT EXISTS (SELECT 1 FROM counter) + EXISTS (SELECT 1 FROM conversion) AS n',
    ),
  );
  return row?.n === 0;
}

/** Reads page after page, so that a server beside it is not held up and no sale count is too large. */
export async function* allConversions(database: Sqlite): AsyncGenerator<Conversion> {
  let last = { at: Number.MIN_SAFE_INTEGER, id: '' };
  for (;;) {
    const page = database.read((tx) =>
      tx.all<Conversion>(
        `SELECT ${saleColumns} FROM conversion
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
