/** Lists rows newest first with keyset pagination, so that a page costs the same at any table size. */
import { all, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { Activity, Conversion, ListedEvent, PageOptions, TimeWindow } from '../store.ts';
import { kinds } from './counters.ts';
import { eventColumns } from './events.ts';
import { isCountedSale, saleColumns } from './sales.ts';

const selectEvents = sql`SELECT ${eventColumns} FROM mark
  WHERE kind = ? AND at >= ? AND (at, serial) < (?, ?)
  ORDER BY at DESC, serial DESC LIMIT ?`;

/** One page of the events of an activity, in the order of the primary key. */
export function* pageOfEvents(
  activity: Activity,
  { from, to }: TimeWindow,
  { limit, after }: PageOptions,
): Statements<ListedEvent[]> {
  const [at, serial] = after && after.at < to ? [after.at, Number(after.key)] : [to, 0];
  const rows = yield* all(selectEvents, [kinds[activity], from, at, serial, limit]);
  return rows.map(({ serial, ...event }) => ({ activity, ...event, key: String(serial) }));
}

const selectSales = sql`SELECT ${saleColumns} FROM conversion
  WHERE at >= ? AND (at, id) < (?, ?) AND ${isCountedSale} ORDER BY at DESC, id DESC LIMIT ?`;

/** One page of sales, in the order of the index by time. */
export function pageOfSales(
  { from, to }: TimeWindow,
  { limit, after }: PageOptions,
): Statements<Conversion[]> {
  const [at, id] = after && after.at < to ? [after.at, after.key] : [to, ''];
  return all(selectSales, [from, at, id, limit]);
}
