/** Writes events in batches: the driver's cost is per call, so each step is one statement. */
import { randomInt } from 'node:crypto';
import { direct, idIn, type SourceIds, sourceIds, trusted } from '../../attribution/source-ids.ts';
import type { ButtonName } from '../../contract/button-names.ts';
import { columns, computed } from '../../database/columns.ts';
import { all, exists, run, type Statements } from '../../database/database.ts';
import { type Row, schema } from '../../database/schema.ts';
import { hexOf, jsonRows, sql } from '../../database/sql.ts';
import type { ActivityEvent, ImportedEvent } from '../model.ts';
import { dayOf } from '../time-window.ts';
import { addToCounters, kinds } from './counters.ts';

/** Columns of a listed event. */
export const eventColumns = columns('event', 'at', 'serial', {
  // Only names of buttons are stored.
  button: computed<ButtonName | null, 'button'>('button'),
  source: computed<Row<'source'>['name'], 'source'>(
    '(SELECT name FROM source WHERE id = event.source)',
  ),
});

/** An event with the id of its source. */
interface EventRow extends Omit<ImportedEvent, 'source'> {
  source: number;
}

interface Candidate {
  event: ActivityEvent;
  /** Day, kind, visitor and source id (`direct` while unknown), as in `seen_visitor`. */
  key: [number, number, string, number];
  /** Its source has a name whose id is not cached. */
  isSourceUnknown: boolean;
}

interface Added {
  /** Ids of sources that were not cached. */
  newSources: SourceIds;
  /** Whether the visitor of an event was not counted before on its UTC day. */
  isNew: (event: ActivityEvent) => boolean;
}

/**
 * Stores the events of visitors not yet counted that day and ignores the others. Sources in `known` are
 * not looked up.
 */
export function* addNewEvents(
  events: readonly ActivityEvent[],
  known: SourceIds,
): Statements<Added> {
  const views = new Map<string, Candidate>();
  const others = new Map<string, Candidate>();
  const idOf = (source: string | null) => (source === null ? direct : known.get(source));
  for (const event of events) {
    // A visitor who clicked has viewed the page, too. A link elsewhere can open a checkout or a booking.
    if (isOnPage(event)) keepFirst(views, { ...event, activity: 'page_view', button: null }, idOf);
    if (event.activity !== 'page_view') keepFirst(others, event, idOf);
  }
  const viewed = yield* newVisitors(views, insertViews);
  const joined = yield* newOthers(others);
  const counted = new Set(joined.map(nameOf));
  const rest = [...others].filter(([name, { event }]) => !isOnPage(event) && !counted.has(name));
  const elsewhere = yield* newVisitors(new Map(rest), insertWithoutView);
  const visitors = [...viewed.rows, ...elsewhere.rows];
  const fresh = [...visitors, ...joined];
  if (fresh.length > 0) yield* write(fresh, { concurrent: true });
  const names = new Set(visitors.map(visitorOf));
  return {
    newSources: new Map([...viewed.newSources, ...elsewhere.newSources]),
    isNew: (event) => names.has(visitorOf(event)),
  };
}

/** Whether an event happens on the landing page. */
const isOnPage = ({ activity }: Pick<ActivityEvent, 'activity'>) =>
  activity === 'page_view' || activity === 'cta_click';

/**
 * Stores imported events unchanged and counts them, without deduplication. Names of new sources are limited
 * on `day`.
 */
export function* addEvents(
  events: readonly ImportedEvent[],
  day: number = trusted,
): Statements<void> {
  const ids = yield* sourceIds(
    events.map(({ source }) => source),
    { day },
  );
  yield* write(events.map((event) => ({ ...event, source: idIn(ids, event.source) })));
}

/** Keeps the earliest of a visitor's repeated events, regardless of their order. */
function keepFirst(
  candidates: Map<string, Candidate>,
  event: ActivityEvent,
  idOf: (source: string | null) => number | undefined,
): void {
  const { activity, visitor, at, source } = event;
  const name = keyOf(dayOf(at), kinds[activity], visitor);
  const known = candidates.get(name);
  if (known && known.event.at <= at) return;
  const id = idOf(source);
  candidates.set(name, {
    event,
    key: [dayOf(at), kinds[activity], visitor, id ?? direct],
    isSourceUnknown: id === undefined,
  });
}

/** Key of a visitor's event, as the statements below return it. */
const keyOf = (day: number, kind: number, visitor: string) => `${day},${kind},${visitor}`;

const nameOf = ({ at, activity, visitor }: Pick<ActivityEvent, 'at' | 'activity' | 'visitor'>) =>
  keyOf(dayOf(at), kinds[activity], visitor);

const visitorOf = ({ at, visitor }: Pick<ActivityEvent, 'at' | 'visitor'>) =>
  `${dayOf(at)},${visitor}`;

const counted = sql`SELECT 1 AS one FROM seen_visitor
  WHERE day = ? AND kind IN (${Object.values(kinds).join(', ')})
    AND visitor = ${{ sqlite: 'unhex(?)', postgres: `decode(?, 'hex')` }}`;

/** Whether a visitor was counted on the UTC day of `at` (ms). */
export const isCounted = (visitor: string, at: number): Statements<boolean> =>
  exists(counted, [dayOf(at), visitor]);

/** Rows of visitors, as a table. */
const candidateRows = jsonRows(schema.seen_visitor);

/** The key and source of each inserted row. */
const inserted = columns('seen_visitor', 'source', {
  name: computed<string>(sql`day || ',' || kind || ',' || ${hexOf('visitor')}`),
});

const insertViews = sql`INSERT INTO seen_visitor (day, kind, visitor, source)
  SELECT day, kind, visitor, source FROM ${candidateRows} AS wanted WHERE true
  ON CONFLICT DO NOTHING RETURNING ${inserted}`;

const setSources = sql`UPDATE seen_visitor SET source = named.source
  FROM ${candidateRows} AS named
  WHERE seen_visitor.day = named.day AND seen_visitor.kind = named.kind
    AND seen_visitor.visitor = named.visitor`;

/** Checkouts and bookings of visitors without a page view that day. */
const insertWithoutView = sql`INSERT INTO seen_visitor (day, kind, visitor, source)
  SELECT day, kind, visitor, source FROM ${candidateRows} AS wanted
  WHERE NOT EXISTS (
    SELECT 1 FROM seen_visitor AS viewed
    WHERE viewed.day = wanted.day AND viewed.kind = ${kinds.page_view}
      AND viewed.visitor = wanted.visitor)
  ON CONFLICT DO NOTHING RETURNING ${inserted}`;

/**
 * Inserts the first events of visitors into `seen_visitor`; returns the new ones and the ids of their new
 * sources.
 */
function* newVisitors(
  candidates: Map<string, Candidate>,
  insert: typeof insertViews,
): Statements<{ rows: NewRow[]; newSources: SourceIds }> {
  const fresh = yield* insertCandidates(candidates, insert);
  // Sources are created only for new visitors, so that repeated visits cannot use up the limit.
  const unresolved = fresh.filter(({ isSourceUnknown }) => isSourceUnknown);
  if (unresolved.length === 0) return { rows: fresh.map(rowOf), newSources: new Map() };
  const ids = yield* sourceIds(
    unresolved.map(({ event }) => event.source),
    { day: dayOf(unresolved[0]?.event.at ?? 0) },
  );
  const idOf = ({ event }: Candidate) => idIn(ids, event.source);
  yield* run(setSources, [
    JSON.stringify(unresolved.map((found) => [...found.key.slice(0, 3), idOf(found)])),
  ]);
  const rows = fresh.map((found) =>
    rowOf(found.isSourceUnknown ? { ...found, source: idOf(found) } : found),
  );
  return { rows, newSources: ids };
}

const insertOthers = sql`INSERT INTO seen_visitor (day, kind, visitor, source)
  SELECT wanted.day, wanted.kind, viewed.visitor, viewed.source
  FROM ${candidateRows} AS wanted
  ${{ sqlite: 'CROSS JOIN', postgres: 'JOIN' }} seen_visitor AS viewed
    ON viewed.day = wanted.day AND viewed.kind = ${kinds.page_view}
    AND viewed.visitor = wanted.visitor
  ${{ sqlite: 'WHERE true', postgres: 'ORDER BY wanted.day, wanted.kind, viewed.visitor' }}
  ON CONFLICT DO NOTHING RETURNING ${inserted}`;

/**
 * Inserts clicks, checkouts and bookings of visitors with a page view into `seen_visitor`. Each takes the
 * source of that view, so no source has more clicks than views.
 */
function* newOthers(candidates: Map<string, Candidate>): Statements<NewRow[]> {
  const fresh = yield* insertCandidates(candidates, insertOthers);
  return fresh.map(rowOf);
}

interface InsertedCandidate extends Candidate {
  /** Id of its source. */
  source: number;
}

/** An event with its visitor. */
type NewRow = EventRow & Pick<ActivityEvent, 'visitor'>;

const rowOf = ({ event, source }: InsertedCandidate): NewRow => ({ ...event, source });

/**
 * Inserts visitors and returns those that were not in the table. Rows are sorted, so that concurrent
 * instances with the same visitors cannot deadlock.
 */
function* insertCandidates(
  candidates: Map<string, Candidate>,
  insert: typeof insertViews,
): Statements<InsertedCandidate[]> {
  if (candidates.size === 0) return [];
  const sorted = [...candidates].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = yield* all(insert, [JSON.stringify(sorted.map(([, { key }]) => key))]);
  return rows.flatMap(({ name, source }) => {
    const found = candidates.get(name);
    return found ? [{ ...found, source }] : [];
  });
}

const insertEvents = sql`INSERT INTO event (kind, at, serial, button, source)
  SELECT kind, at, serial, button, source FROM ${jsonRows(schema.event)} AS added`;

function* write(events: readonly EventRow[], options?: { concurrent: boolean }): Statements<void> {
  // A random start keeps keys unique when another transaction stores an event of the same millisecond.
  const serial = randomInt(2 ** 47);
  const rows = JSON.stringify(
    events.map(({ activity, button, at, source }, i) => [
      ...[kinds[activity], at, serial + i],
      // A page view is of no button.
      ...[activity === 'page_view' ? null : button, source],
    ]),
  );
  yield* run(insertEvents, [rows]);
  yield* addToCounters(rows, options);
}
