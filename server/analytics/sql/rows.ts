/** Lists rows newest first with keyset pagination, so that a page costs the same at any table size. */
import { columns, computed } from '../../database/columns.ts';
import { all, type Statements } from '../../database/database.ts';
import { integer } from '../../database/schema.ts';
import { jsonRows, sql } from '../../database/sql.ts';
import { isConversion, isCountedSale, saleColumns } from '../../sales/rows.ts';
import type { Sale } from '../../sales/sale.ts';
import { hourMs } from '../../time/units.ts';
import type { Activity, ListedEvent, PageOptions, TimeWindow } from '../model.ts';
import { hourOf } from '../time-window.ts';
import { allButtons, kinds } from './counters.ts';
import { eventColumns } from './events.ts';
import { conditionOf, everything, type Series, seriesOf } from './series.ts';

const selectEvents = sql`SELECT ${eventColumns} FROM event
  WHERE kind = ? AND at >= ? AND (at, serial) < (?, ?) ORDER BY at DESC, serial DESC LIMIT ?`;

/** Each span is read by a range of the primary key. On PostgreSQL, `limit` keeps the planner from a join. */
const inSpan = 'kind = ? AND at >= start AND (at, serial) < (stop, last)';
const newestFirst = 'ORDER BY at DESC, serial DESC';
const selectEventsOfSpans = (condition: string, limit: number) => sql`SELECT ${eventColumns}
  FROM ${jsonRows({ start: integer, stop: integer, last: integer })} AS span CROSS JOIN ${{
    sqlite: `event WHERE ${inSpan} ${condition}`,
    postgres: `LATERAL (
      SELECT * FROM event WHERE ${inSpan} ${condition} ${newestFirst} LIMIT ${limit}) AS event`,
  }}
  ${newestFirst} LIMIT ?`;

const selectHours = sql`
  SELECT ${columns('counter', { start: 'hour', n: computed<number>('CAST(sum(n) AS bigint)') })} FROM counter
  WHERE source = ? AND button = ? AND kind = ? AND hour >= ? AND hour <= ?
  GROUP BY hour ORDER BY hour DESC LIMIT ?`;

type EventRow = Omit<ListedEvent, 'activity' | 'key'> & { serial: number };

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
  const rowsIn = (hours: readonly Hour[], most: number) => {
    const spans = hours.map(({ start }) => {
      const end = start + hourMs;
      return [Math.max(from, start), ...(end <= at ? [end, 0] : [at, serial])];
    });
    const parameters = [JSON.stringify(spans), kind, ...values, most];
    return all(selectEventsOfSpans(condition, limit), parameters);
  };
  const rowsOfSeries = function* () {
    const rows: EventRow[] = [];
    let hours = yield* hoursOf(series, kind, { window: { from, to: at }, limit });
    // Events on earlier pages and pruned ones are counted, too, so that the first hours may have too few.
    while (rows.length < limit && hours.length > 0) {
      const needed = firstOf(hours, limit - rows.length);
      rows.push(...(yield* rowsIn(hours.slice(0, needed), limit - rows.length)));
      hours = hours.slice(needed);
    }
    return rows;
  };
  const rows =
    series === everything
      ? yield* all(selectEvents, [kind, from, at, serial, limit])
      : yield* rowsOfSeries();
  return rows.map(({ serial, ...event }) => ({ activity, ...event, key: String(serial) }));
}

/** An hour with events, by their counter: its start in ms since 1970, UTC, and their number. */
interface Hour {
  start: number;
  n: number;
}

/** Number of the first hours that have `count` events together, or of all hours. */
function firstOf(hours: readonly Hour[], count: number): number {
  let sum = 0;
  const last = hours.findIndex(({ n }) => {
    sum += n;
    return sum >= count;
  });
  return last < 0 ? hours.length : last + 1;
}

/**
 * The hours with events of a series, newest first, as far as a page of them can reach: counters say where its
 * events are, since no index does.
 */
const hoursOf = (
  { source, button = allButtons }: Series,
  kind: number,
  { window: { from, to }, limit }: { window: TimeWindow; limit: number },
): Statements<Hour[]> =>
  // Of the first hour, all events may be on an earlier page.
  all(selectHours, [source, button, kind, hourOf(from), hourOf(to), limit + 1]);

const selectSales = (condition: string) => sql`SELECT ${saleColumns} FROM conversion
  WHERE at >= ? AND (at, id) < (?, ?) AND ${isCountedSale} ${condition}
  ORDER BY at DESC, id DESC LIMIT ?`;

/** One page of sales or of conversions, in the order of an index by time. */
export function* pageOfSales(
  kind: 'sales' | 'conversions',
  { from, to }: TimeWindow,
  { limit, after, filter }: PageOptions,
): Statements<Sale[]> {
  const series = conditionOf(yield* seriesOf(filter), 'source_id');
  const [at, id] = after && after.at < to ? [after.at, after.key] : [to, ''];
  const condition = kind === 'sales' ? '' : `AND ${isConversion}`;
  const select = selectSales(`${series.condition} ${condition}`);
  return yield* all(select, [from, at, id, ...series.values, limit]);
}
