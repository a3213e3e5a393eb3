/** Lists rows newest first with keyset pagination, so that a page costs the same at any table size. */
import { all, type Statements } from '../database/database.ts';
import { kinds } from './counters-sql.ts';
import { saleColumns } from './sales-sql.ts';
import type { Activity, Conversion, ListedEvent, PageOptions, TimeWindow } from './store.ts';

/** One page of the events of an activity, in the order of the primary key. */
export function* pageOfEvents(
  activity: Activity,
  { from, to }: TimeWindow,
  { limit, after }: PageOptions,
): Statements<ListedEvent[]> {
  const [at, serial] = after && after.at < to ? [after.at, Number(after.key)] : [to, 0];
  const rows = yield* all<Omit<ListedEvent, 'activity' | 'key'> & { serial: number }>(
    `SELECT at, serial, control, (SELECT name FROM source WHERE id = mark.source) AS source
     FROM mark WHERE kind = ? AND at >= ? AND (at, serial) < (?, ?)
     ORDER BY at DESC, serial DESC LIMIT ?`,
    [kinds[activity], from, at, serial, limit],
  );
  return rows.map(({ serial, ...event }) => ({ activity, ...event, key: String(serial) }));
}

/** One page of sales, in the order of the index by time. */
export function pageOfSales(
  { from, to }: TimeWindow,
  { limit, after }: PageOptions,
): Statements<Conversion[]> {
  const [at, id] = after && after.at < to ? [after.at, after.key] : [to, ''];
  return all<Conversion>(
    `SELECT ${saleColumns} FROM conversion
     WHERE at >= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?`,
    [from, at, id, limit],
  );
}
