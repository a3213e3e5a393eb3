/** Lists rows newest first with keyset pagination, so that a page costs the same at any table size. */
import { all, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { Activity, Conversion, ListedEvent, PageOptions, TimeWindow } from '../store.ts';
import { kinds } from './counters.ts';
import { eventColumns } from './events.ts';
import { isCountedSale, saleColumns } from './sales.ts';
import { conditionOf, seriesOf } from './series.ts';

const selectEvents = (condition: string) => sql`SELECT ${eventColumns} FROM mark
  WHERE kind = ? AND at >= ? AND (at, serial) < (?, ?) ${condition}
  ORDER BY at DESC, serial DESC LIMIT ?`;

/** One page of the events of an activity, in the order of the primary key. */
export function* pageOfEvents(
  activity: Activity,
  { from, to }: TimeWindow,
  { limit, after, filter }: PageOptions,
): Statements<ListedEvent[]> {
  const { condition, values } = conditionOf(yield* seriesOf(filter), 'source');
  const [at, serial] = after && after.at < to ? [after.at, Number(after.key)] : [to, 0];
  const rows = yield* all(selectEvents(condition), [
    ...[kinds[activity], from, at, serial, ...values],
    limit,
  ]);
  return rows.map(({ serial, ...event }) => ({ activity, ...event, key: String(serial) }));
}

const selectSales = (condition: string) => sql`SELECT ${saleColumns} FROM conversion
  WHERE at >= ? AND (at, id) < (?, ?) AND ${isCountedSale} ${condition}
  ORDER BY at DESC, id DESC LIMIT ?`;

/** One page of sales, in the order of an index by time. */
export function* pageOfSales(
  { from, to }: TimeWindow,
  { limit, after, filter }: PageOptions,
): Statements<Conversion[]> {
  const { condition, values } = conditionOf(yield* seriesOf(filter), 'source_id');
  const [at, id] = after && after.at < to ? [after.at, after.key] : [to, ''];
  return yield* all(selectSales(condition), [from, at, id, ...values, limit]);
}
