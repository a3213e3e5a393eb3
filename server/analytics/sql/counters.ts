/**
 * Counters of events by hour: of all events, of each source with its campaigns, of each campaign, and of each of
 * these by button. Figures read them instead of the events of whole hours; they outlive deleted events.
 */
import { randomInt } from 'node:crypto';
import { parentOf } from '../../attribution/source-ids.ts';
import { run, type Statements } from '../../database/database.ts';
import { schema } from '../../database/schema.ts';
import { jsonRows, type Sql, sql } from '../../database/sql.ts';
import { hourMs } from '../../time/units.ts';
import type { Activity } from '../model.ts';

/** Numbers of the activities in the database. */
export const kinds: Record<Activity, number> = {
  page_view: 1,
  cta_click: 2,
  checkout_open: 3,
  call_booked: 7,
};

/** The source id of the counters of all sources together. */
export const allSources = 0;

/** The button of the counters of all events, with any button or none. */
export const allButtons = '';

/**
 * Each instance adds to its own slot of a counter, so that concurrent instances do not wait for each other's
 * commits; reads sum all slots. Slot 0 belongs to serialized writes (`Database.write`).
 */
const sharedSlot = 0;
const ownSlot = randomInt(1, 16);

/** These events, once for each counter that counts them: its key without the slot. Hours start before 1970, too. */
export const countersOf = (events: string | Sql) => sql`(
  WITH series (of_source, of_button) AS (
    VALUES ('all', 'all'), ('own', 'all'), ('parent', 'all'), ('all', 'own'), ('own', 'own'), ('parent', 'own')
  )
  SELECT CASE of_source WHEN 'all' THEN ${allSources} WHEN 'own' THEN event.source ELSE parent END AS source,
    CASE of_button WHEN 'all' THEN '${allButtons}' ELSE event.button END AS button, kind, hour
  FROM (
    SELECT kind, source, button, ${parentOf('added.source')} AS parent,
      at - ((at % ${hourMs}) + ${hourMs}) % ${hourMs} AS hour
    FROM ${events} AS added
  ) AS event CROSS JOIN series
  WHERE (of_source <> 'parent' OR parent IS NOT NULL) AND (of_button = 'all' OR event.button IS NOT NULL)
)`;

/** Two instances in one slot lock counters in the order of the key, which prevents deadlocks. */
const addition = sql`INSERT INTO counter (source, button, kind, hour, slot, n)
  SELECT source, button, kind, hour, CAST(? AS bigint), count(*)
  FROM ${countersOf(jsonRows(schema.event))} AS counted
  GROUP BY source, button, kind, hour ORDER BY source, button, kind, hour
  ON CONFLICT (source, button, kind, hour, slot) DO UPDATE SET n = counter.n + excluded.n`;

/**
 * Adds events (rows as JSON) to their counters, in the transaction that inserts them. `concurrent` is for
 * transactions of `Database.append`.
 */
export const addToCounters = (rows: string, { concurrent = false } = {}): Statements<number> =>
  run(addition, [concurrent ? ownSlot : sharedSlot, rows]);
