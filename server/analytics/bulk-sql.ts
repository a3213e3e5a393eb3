/** Streams all events and sales, or those of a window, page by page in constant memory. */
import { all, type Database, get } from '../database/database.ts';
import { joined, type Sql, sql } from '../database/sql.ts';
import { kinds } from './counters-sql.ts';
import { saleColumns } from './sales-sql.ts';
import {
  type Activity,
  activities,
  type Conversion,
  type ImportedEvent,
  type TimeWindow,
} from './store.ts';

const pageLength = 1000;

/** Whether the database has no activity and no sales. */
export async function isEmpty(database: Database): Promise<boolean> {
  const found = await database.read(() =>
    get(
      `SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM counter) OR EXISTS (SELECT 1 FROM conversion)`,
    ),
  );
  return found === undefined;
}

/** Yields the sales of a window, oldest first. */
export async function* allConversions(
  database: Database,
  { from, to }: TimeWindow,
): AsyncGenerator<Conversion> {
  let last = { at: from, id: '' };
  for (;;) {
    const { at, id } = last;
    const page = await database.read(() =>
      all<Conversion>(
        `SELECT ${saleColumns} FROM conversion
         WHERE (at, id) > (?, ?) AND at < ? ORDER BY at, id LIMIT ${pageLength}`,
        [at, id, to],
      ),
    );
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
    await yieldToEventLoop();
  }
}

interface EventRow extends Omit<ImportedEvent, 'activity'> {
  kind: number;
  serial: number;
}

const activityOf = new Map<number, Activity>(activities.map((name) => [kinds[name], name]));

// Each kind is read in the order of the table's key and the four are merged, so SQLite sorts nothing.
// PostgreSQL would read and sort every later row, so each kind also has a LIMIT of one page there.
const eventsByKind = Object.values(kinds).map((kind): Sql => {
  const select = `SELECT at, ${kind} AS kind, serial, control,
      (SELECT name FROM source WHERE id = mark.source) AS source
    FROM mark WHERE kind = ${kind} AND at >= ? AND at < ? AND (at, ${kind}, serial) > (?, ?, ?)`;
  return { sqlite: select, postgres: `(${select} ORDER BY at, serial LIMIT ${pageLength})` };
});
const pageOfEvents = sql`${joined(eventsByKind, ' UNION ALL ')}
  ORDER BY at, kind, serial LIMIT ${pageLength}`;

/** Yields the events of a window, oldest first. */
export async function* allEvents(
  database: Database,
  { from, to }: TimeWindow,
): AsyncGenerator<ImportedEvent> {
  let last = { at: from, kind: 0, serial: 0 };
  for (;;) {
    const after = [last.at, to, last.at, last.kind, last.serial];
    const page = await database.read(() =>
      all<EventRow>(
        pageOfEvents,
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
    await yieldToEventLoop();
  }
}

/** Yields to the event loop, so that other requests are not delayed between pages. */
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));
