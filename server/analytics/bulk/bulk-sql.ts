/** Streams all events and sales, or those of a window, page by page in constant memory. */
import { columns, computed, unionAll } from '../../database/columns.ts';
import { all, type Database, exists, readInBatches } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { isCountedSale, saleColumns } from '../../sales/rows.ts';
import type { Sale } from '../../sales/sale.ts';
import { type Activity, activities, type ImportedEvent, type TimeWindow } from '../model.ts';
import { kinds } from '../sql/counters.ts';
import { eventColumns } from '../sql/events.ts';

const pageLength = 1000;

/** Whether the database has no activity and no sales. */
export async function isEmpty(database: Database): Promise<boolean> {
  return !(await database.read(() =>
    exists(
      `SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM counter) OR EXISTS (SELECT 1 FROM conversion)`,
    ),
  ));
}

const pageOfSales = sql`SELECT ${saleColumns} FROM conversion
  WHERE (at, id) > (?, ?) AND at < ? AND ${isCountedSale} ORDER BY at, id LIMIT ${pageLength}`;

/** Yields the sales of a window, oldest first. */
export const allConversions = (database: Database, { from, to }: TimeWindow): AsyncIterable<Sale> =>
  readInBatches(
    database,
    (last: Sale | undefined) => all(pageOfSales, [last?.at ?? from, last?.id ?? '', to]),
    pageLength,
  );

const activityOf = new Map<number, Activity>(activities.map((name) => [kinds[name], name]));

// Each kind is read in the order of the table's key and the four are merged, so SQLite sorts nothing.
// PostgreSQL would read and sort every later row, so each kind also has a LIMIT of one page there.
const eventsByKind = Object.values(kinds).map((kind) => {
  const kindColumn = columns('event', { kind: computed<number>(kind) });
  return sql`${{ sqlite: '', postgres: '(' }}SELECT ${eventColumns}, ${kindColumn} FROM event
    WHERE kind = ${kind} AND at >= ? AND at < ? AND (at, ${kind}, serial) > (?, ?, ?)
    ${{ sqlite: '', postgres: `ORDER BY at, serial LIMIT ${pageLength})` }}`;
});
const pageOfEvents = unionAll(eventsByKind, `ORDER BY at, kind, serial LIMIT ${pageLength}`);

type EventRow = (typeof pageOfEvents)['rows'];

/** Yields the events of a window, oldest first. */
export async function* allEvents(
  database: Database,
  { from, to }: TimeWindow,
): AsyncGenerator<ImportedEvent> {
  const next = (last: EventRow = { at: from, kind: 0, serial: 0, button: null, source: null }) => {
    const after = [last.at, to, last.at, last.kind, last.serial];
    return all(
      pageOfEvents,
      Object.values(kinds).flatMap(() => after),
    );
  };
  for await (const { at, kind, button, source } of readInBatches(database, next, pageLength)) {
    const activity = activityOf.get(kind);
    if (activity) yield { activity, button, source, at };
  }
}
