/** Lists rows newest first with keyset pagination, so that a page costs the same at any table size. */
import { columns, computed } from '../../database/columns.ts';
import { all, type Statements } from '../../database/database.ts';
import { integer } from '../../database/schema.ts';
import { jsonRows, sql } from '../../database/sql.ts';
import { hourMs } from '../../time/units.ts';
import type { Activity, Conversion, ListedEvent, PageOptions, TimeWindow } from '../model.ts';
import { bucketOf, kinds } from './counters.ts';
import { eventColumns } from './events.ts';
import { isCountedSale, saleColumns } from './sales.ts';
import { conditionOf, everything, type Series, seriesOf } from './series.ts';

const selectEvents = sql`SELECT ${eventColumns} FROM mark
  WHERE kind = ? AND at >= ? AND (at, serial) < (?, ?) ORDER BY at DESC, serial DESC LIMIT ?`;

/** Each span is read by a range of the primary key. */
const inSpan = 'kind = ? AND at >= start AND (at, serial) < (stop, last)';
const selectEventsOfSpans = (condition: string) => sql`SELECT ${eventColumns}
  FROM ${jsonRows({ start: integer, stop: integer, last: integer })} AS span CROSS JOIN ${{
    sqlite: `mark WHERE ${inSpan} ${condition}`,
    // OFFSET keeps the planner from a join, for which it would read the whole table.
    postgres: `LATERAL (SELECT * FROM mark WHERE ${inSpan} ${condition} OFFSET 0) AS mark`,
  }}
  ORDER BY at DESC, serial DESC LIMIT ?`;

const selectHours = (table: 'counter' | 'button_counter', condition: string) => sql`
  SELECT ${columns(table, { start: 'bucket', n: computed<number>('CAST(sum(n) AS bigint)') })} FROM ${table}
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
  const rowsOfHours = function* () {
    const hours = yield* hoursWith(series, kind, { window: { from, to: at }, limit });
    const spans = hours.map((hour) => [
      Math.max(from, hour.from),
      ...(hour.to <= at ? [hour.to, 0] : [at, serial]),
    ]);
    const query = selectEventsOfSpans(condition);
    return yield* all(query, [JSON.stringify(spans), kind, ...values, limit]);
  };
  const rows =
    series === everything
      ? yield* all(selectEvents, [kind, from, at, serial, limit])
      : yield* rowsOfHours();
  return rows.map(({ serial, ...event }) => ({ activity, ...event, key: String(serial) }));
}

/**
 * The hours with events of a series, newest first, as far as a page of them reaches: its counters say where
 * its events are, since no index does.
 */
function* hoursWith(
  { source, control }: Series,
  kind: number,
  { window: { from, to }, limit }: { window: TimeWindow; limit: number },
): Statements<TimeWindow[]> {
  const range = [kind, bucketOf(from, hourMs), bucketOf(to, hourMs), limit + 1];
  const hours =
    control === undefined
      ? yield* all(hoursOfSource, [source, ...range])
      : yield* all(hoursOfButton, [source, control, ...range]);
  let found = 0;
  return hours
    .filter(({ n }, i) => {
      const isNeeded = found < limit;
      // Of the first hour, all events may be on an earlier page.
      if (i > 0) found += n;
      return isNeeded;
    })
    .map(({ start }) => ({ from: start, to: start + hourMs }));
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
