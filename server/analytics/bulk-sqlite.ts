/** Reading the whole of it, or of a window: page after page, in memory that does not grow. */
import type { Sqlite } from '../database/sqlite.ts';
import { kinds } from './counters-sqlite.ts';
import { saleColumns } from './sales-sqlite.ts';
import { type Activity, activities, type Conversion, type PastMark, type Window } from './store.ts';

const pageLength = 1000;

export function isEmpty(database: Sqlite): boolean {
  const row = database.read((tx) =>
    tx.get<{ n: number }>(
      'SELECT EXISTS (SELECT 1 FROM counter) + EXISTS (SELECT 1 FROM conversion) AS n',
    ),
  );
  return row?.n === 0;
}

/** The sales of a window, the oldest first. */
export async function* allConversions(
  database: Sqlite,
  { from, to }: Window,
): AsyncGenerator<Conversion> {
  let last = { at: from, id: '' };
  for (;;) {
    const page = database.read((tx) =>
      tx.all<Conversion>(
        `SELECT ${saleColumns} FROM conversion
         WHERE (at, id) > (?, ?) AND at < ? ORDER BY at, id LIMIT ${pageLength}`,
        [last.at, last.id, to],
      ),
    );
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
    await breath();
  }
}

interface MarkRow extends Omit<PastMark, 'activity'> {
  kind: number;
  serial: number;
}

const activityOf = new Map<number, Activity>(activities.map((name) => [kinds[name], name]));

// Each kind is read in the order of the table's key, and the four are merged: nothing is sorted.
const pageOfMarks = `${Object.values(kinds)
  .map(
    (kind) => `SELECT at, ${kind} AS kind, serial, control,
        (SELECT name FROM source WHERE id = mark.source) AS source
      FROM mark WHERE kind = ${kind} AND at >= ? AND at < ? AND (at, ${kind}, serial) > (?, ?, ?)`,
  )
  .join(' UNION ALL ')} ORDER BY at, kind, serial LIMIT ${pageLength}`;

/** What was counted in a window, the oldest first. */
export async function* allMarks(database: Sqlite, { from, to }: Window): AsyncGenerator<PastMark> {
  let last = { at: from, kind: 0, serial: 0 };
  for (;;) {
    const after = [last.at, to, last.at, last.kind, last.serial];
    const page = database.read((tx) =>
      tx.all<MarkRow>(
        pageOfMarks,
        Object.values(kinds).flatMap(() => after),
      ),
    );
    for (const { at, kind, control, source } of page) {
      const activity = activityOf.get(kind);
      if (activity) yield { activity, control, source, at };
    }
    const end = page.at(-1);
    if (!end) return;
    last = end;
    await breath();
  }
}

/** Lets whoever else is waiting have their turn. */
const breath = () => new Promise((resolve) => setImmediate(resolve));
