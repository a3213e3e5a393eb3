/** Verifies that the counters equal the events that they count. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { parentOf } from '../../attribution/source-ids.ts';
import { handTyped } from '../../database/columns.ts';
import {
  all,
  type Database,
  get,
  readInBatches,
  type Statements,
} from '../../database/database.ts';
import { joined, sql } from '../../database/sql.ts';
import { dayMs, hourMs } from '../../time/units.ts';
import type { CounterCheck, Difference } from '../model.ts';
import { dayOf } from '../time-window.ts';
import { allButtons, allSources, countersOf, kinds } from './counters.ts';
import { eventHorizon } from './prune.ts';

/** Maximum counters of one statement. */
const pageLength = 2000;

/**
 * Counts the events of each day again, then finds counters without events, each day and each page in a snapshot
 * of its own. Counters of hours whose events were deleted are skipped.
 */
export async function compareCounters(database: Pick<Database, 'read'>): Promise<CounterCheck> {
  const check: CounterCheck = { checked: 0, differences: [] };
  const add = (found: Compared[]) => {
    check.checked += found.length;
    check.differences.push(...found.filter(({ n, events }) => n !== events).map(differenceOf));
  };
  for (let from: number | undefined = Number.MIN_SAFE_INTEGER; from !== undefined; ) {
    const start: number = from;
    const day: ComparedDay | undefined = await database.read(() => comparedDay(start));
    if (day) add(day.counters);
    from = day?.end;
    // A server in the same process must keep responding.
    await yieldToEventLoop();
  }
  const next = (last: (typeof countersAfter)['rows'] | undefined) =>
    all(
      countersAfter,
      last
        ? [last.source, last.button, last.kind, last.hour, last.slot]
        : [Number.MIN_SAFE_INTEGER, '', 0, 0, 0],
    );
  for await (const counter of readInBatches(database, next, pageLength)) {
    if (counter.isExtra === 1) add([counter]);
  }
  return check;
}

/** A counter, and the number of its events. */
interface Compared {
  source: number;
  button: string;
  kind: number;
  hour: number;
  n: number;
  events: number;
  /** Path of the source; null when there is none with this id. */
  name: string | null;
}

function differenceOf({ source, button, kind, hour, n, events, name }: Compared): Difference {
  const activity = Object.entries(kinds).find(([, number]) => number === kind)?.[0];
  return {
    what: activity ?? `kind ${kind}`,
    source: source === allSources ? undefined : (name ?? `source ${source}`),
    button: button === allButtons ? undefined : button,
    hour,
    counter: n,
    rows: events,
  };
}

const key = 'source, button, kind, hour';
const name = `(SELECT coalesce(name, 'direct') FROM source WHERE source.id = counted.source) AS name`;

const firstEvent = handTyped<{
  at: number | null;
}>(sql`WITH start AS (SELECT CAST(? AS bigint) AS first)
  SELECT min(at) AS at FROM (${joined(
    Object.values(kinds).map(
      (kind) =>
        `SELECT (SELECT min(at) FROM event WHERE kind = ${kind} AND at >= first) AS at FROM start`,
    ),
    ' UNION ALL ',
  )}) AS events`);

/** Start of the first UTC day, at or after `from`, whose events can be compared; undefined after the last one. */
function* nextDay(from: number): Statements<number | undefined> {
  const first = yield* get(firstEvent, [Math.max(from, (yield* eventHorizon()) ?? from)]);
  return first?.at == null ? undefined : dayOf(first.at) * dayMs;
}

/** The counters that the events of a day should have. */
const countersOfDay = handTyped<Compared>(sql`SELECT ${key}, events, ${name}, CAST((
    SELECT coalesce(sum(n), 0) FROM counter
    WHERE counter.source = counted.source AND counter.button = counted.button
      AND counter.kind = counted.kind AND counter.hour = counted.hour
  ) AS bigint) AS n
  FROM (
    SELECT ${key}, count(*) AS events FROM ${countersOf(
      `(SELECT * FROM event WHERE kind IN (${Object.values(kinds).join(', ')}) AND at >= ? AND at < ?)`,
    )} AS event GROUP BY ${key}
  ) AS counted`);

/** The counters of a day. */
interface ComparedDay {
  counters: Compared[];
  /** Start of the day after it, ms since 1970. */
  end: number;
}

/** The next day, at or after `from`. In the snapshot of the horizon, no event after it is deleted. */
function* comparedDay(from: number): Statements<ComparedDay | undefined> {
  const day = yield* nextDay(from);
  if (day === undefined) return undefined;
  const end = day + dayMs;
  return { counters: yield* all(countersOfDay, [day, end]), end };
}

/** Counters in the order of the key; extra ones are of an hour without such an event. */
const countersAfter = handTyped<Compared & { slot: number; isExtra: 0 | 1 }>(
  sql`SELECT ${key}, slot, n, 0 AS events, ${name}, CASE WHEN EXISTS (
      SELECT 1 FROM event
      WHERE event.kind = counted.kind AND at >= hour AND at < hour + ${hourMs}
        AND counted.source IN (${allSources}, event.source, ${parentOf('event.source')})
        AND counted.button IN ('${allButtons}', event.button)
    ) OR hour < (SELECT at FROM event_horizon) THEN 0 ELSE 1 END AS "isExtra"
    FROM counter AS counted WHERE (${key}, slot) > (?, ?, ?, ?, ?) ORDER BY ${key}, slot LIMIT ${pageLength}`,
);
