/** Lists rows newest first with keyset pagination, so that a page costs the same at any table size. */
import { columns } from '../../database/columns.ts';
import { all, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { hourMs } from '../../time/units.ts';
import type { Activity, Conversion, ListedEvent, PageOptions, TimeWindow } from '../model.ts';
import { bucketOf, kinds } from './counters.ts';
import { eventColumns } from './events.ts';
import { isCountedSale, saleColumns } from './sales.ts';
import { conditionOf, everything, type Series, seriesOf } from './series.ts';

const selectEvents = (condition: string) => sql`SELECT ${eventColumns} FROM mark
  WHERE kind = ? AND at >= ? AND (at, serial) < (?, ?) ${condition}
  ORDER BY at DESC, serial DESC LIMIT ?`;

const selectHours = (table: 'counter' | 'button_counter', condition: string) => sql`
  SELECT ${columns(table, { start: 'bucket' })} FROM ${table}
  WHERE source = ? ${condition} AND width = ${hourMs} AND kind = ? AND bucket >= ? AND bucket <= ?
  GROUP BY bucket HAVING sum(n) > 0 ORDER BY bucket DESC LIMIT ?`;
const hoursOfSource = selectHours('counter', '');
const hoursOfButton = selectHours('button_counter', 'AND control = ?');

/** One page of the events of an activity, in the order of the primary key. */
export function* pageOfEvents(
  activity: Activity,
  { from, to }: TimeWindow,
  { limit, after, filter }: PageOptions,
): Statements<ListedEvent[]> {
  const kind = kinds[activity];
  const series = yield* seriesOf(filter);
  const { condition, values } = conditionOf(series, 'source');
  const [at, serial] = after && after.at < to ? [after.at, Number(after.key)] : [to, 0];
  const spans =
    series === everything
      ? [{ from, to: Number.POSITIVE_INFINITY }]
      : yield* hoursWith(series, kind, { window: { from, to: at }, limit });
  const events: ListedEvent[] = [];
  for (const span of spans) {
    const end = span.to <= at ? [span.to, 0] : [at, serial];
    const rows = yield* all(selectEvents(condition), [
      ...[kind, Math.max(from, span.from), ...end, ...values],
      limit - events.length,
    ]);
    events.push(
      ...rows.map(({ serial, ...event }) => ({ activity, ...event, key: String(serial) })),
    );
    if (events.length === limit) break;
  }
  return events;
}

/**
 * The hours with events of a series, newest first, as far as a page of them can reach: its counters say where
 * its events are, since no index does.
 */
function* hoursWith(
  { source, control }: Series,
  kind: number,
  { window: { from, to }, limit }: { window: TimeWindow; limit: number },
): Statements<TimeWindow[]> {
  // Of the first hour, all events may be on an earlier page.
  const range = [kind, bucketOf(from, hourMs), bucketOf(to, hourMs), limit + 1];
  const hours =
    control === undefined
      ? yield* all(hoursOfSource, [source, ...range])
      : yield* all(hoursOfButton, [source, control, ...range]);
  return hours.map(({ start }) => ({ from: start, to: start + hourMs }));
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
