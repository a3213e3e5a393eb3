/** Writing marks, many at a time: the driver's price is by the call, so each step is one call. */
import { randomInt } from 'node:crypto';
import { all, get, run, type Statements } from '../database/database.ts';
import { hexOf, jsonRows, type Sql, sql } from '../database/sql.ts';
import { count, kinds } from './counters-sql.ts';
import { direct, idIn, type SourceIds, sourceIds, trusted } from './sources-sql.ts';
import type { Activity, ActivityEvent, ImportedEvent } from './store.ts';
import { dayOf } from './visitors.ts';

/** A mark whose source has its number. */
interface Row extends Omit<ImportedEvent, 'source'> {
  source: number;
}

interface Candidate {
  mark: ActivityEvent;
  /** Day, kind, visitor and, where it is known, the source, as the tables have them. */
  seen: [number, number, string, number];
  /** Its source has a name, but no number that is known yet: it may get to be known meanwhile. */
  isStrange: boolean;
}

/** The result of adding marks. */
interface Added {
  /** Sources that had to be looked up. */
  learned: SourceIds;
  /** Whether the visitor of a mark was not counted before on its UTC day. */
  isNew: (mark: ActivityEvent) => boolean;
}

/**
 * Keeps the marks of visitors who were not counted yet that day; the others change nothing. Sources
 * that are `known` are not looked up.
 */
export function* addNewEvents(
  marks: readonly ActivityEvent[],
  known: SourceIds,
): Statements<Added> {
  const views = new Map<string, Candidate>();
  const others = new Map<string, Candidate>();
  const idOf = (source: string | null) => (source === null ? direct : known.get(source));
  for (const mark of marks) {
    // Whoever is first seen clicking has viewed the page, too.
    keepFirst(views, { ...mark, activity: 'page_view', control: null }, idOf);
    if (mark.activity !== 'page_view') keepFirst(others, mark, idOf);
  }
  const newest = yield* newViews(views);
  const fresh = [...newest.rows, ...(yield* newOthers(others))];
  if (fresh.length > 0) yield* write(fresh, { beside: true });
  const names = new Set(newest.rows.map(viewOf));
  return { learned: newest.learned, isNew: (mark) => names.has(viewOf(mark)) };
}

/** Keeps marks as they are, and their counts. */
export function* addEvents(marks: readonly ImportedEvent[]): Statements<void> {
  const ids = yield* sourceIds(
    marks.map(({ source }) => source),
    { day: trusted },
  );
  yield* write(marks.map((mark) => ({ ...mark, source: idIn(ids, mark.source) })));
}

/** Of one visitor's repeats the first counts, whatever the order they came in. */
function keepFirst(
  candidates: Map<string, Candidate>,
  mark: ActivityEvent,
  idOf: (source: string | null) => number | undefined,
): void {
  const { activity, visitor, at, source } = mark;
  const name = nameOf(dayOf(at), kinds[activity], visitor);
  const known = candidates.get(name);
  if (known && known.mark.at <= at) return;
  const id = idOf(source);
  candidates.set(name, {
    mark,
    seen: [dayOf(at), kinds[activity], visitor, id ?? direct],
    isStrange: id === undefined,
  });
}

/** What the statements below answer with. */
const nameOf = (day: number, kind: number, visitor: string) => `${day},${kind},${visitor}`;

const viewOf = ({ at, visitor }: Pick<ActivityEvent, 'at' | 'visitor'>) =>
  nameOf(dayOf(at), kinds.page_view, visitor);

const viewed = sql`SELECT 1 AS one FROM seen_visitor WHERE day = ? AND kind = ${kinds.page_view}
  AND visitor = ${{ sqlite: 'unhex(?)', postgres: `decode(?, 'hex')` }}`;

/** Whether a visitor was counted on the UTC day of `at` (ms). */
export function* isCounted(visitor: string, at: number): Statements<boolean> {
  return (yield* get(viewed, [dayOf(at), visitor])) !== undefined;
}

const candidate = { day: 'integer', kind: 'integer', visitor: 'hex', source: 'integer' } as const;

/** The name of a candidate that was remembered, and its source. */
const remembered = sql`RETURNING day || ',' || kind || ',' || ${hexOf('visitor')} AS name, source`;

const rememberViews = sql`INSERT INTO seen_visitor (day, kind, visitor, source)
  SELECT day, kind, visitor, source FROM ${jsonRows(candidate)} AS wanted WHERE true
  ON CONFLICT DO NOTHING ${remembered}`;

const nameSources = sql`UPDATE seen_visitor SET source = named.source
  FROM ${jsonRows(candidate)} AS named
  WHERE seen_visitor.day = named.day AND seen_visitor.kind = named.kind
    AND seen_visitor.visitor = named.visitor`;

/** Remembers those who view. The views of those that were not there yet, and the names they brought. */
function* newViews(
  candidates: Map<string, Candidate>,
): Statements<{ rows: NewRow[]; learned: SourceIds }> {
  const fresh = yield* newOf(candidates, rememberViews);
  // Only now: who was counted today brings no new names.
  const strange = fresh.filter(({ isStrange }) => isStrange);
  if (strange.length === 0) return { rows: fresh.map(rowOf), learned: new Map() };
  const ids = yield* sourceIds(
    strange.map(({ mark }) => mark.source),
    { day: dayOf(strange[0]?.mark.at ?? 0) },
  );
  const idOf = ({ mark }: Candidate) => idIn(ids, mark.source);
  yield* run(nameSources, [
    JSON.stringify(strange.map((found) => [...found.seen.slice(0, 3), idOf(found)])),
  ]);
  const rows = fresh.map((found) =>
    rowOf(found.isStrange ? { ...found, source: idOf(found) } : found),
  );
  return { rows, learned: ids };
}

const rememberOthers = sql`INSERT INTO seen_visitor (day, kind, visitor, source)
  SELECT wanted.day, wanted.kind, viewed.visitor, viewed.source
  FROM ${jsonRows(candidate)} AS wanted
  ${{ sqlite: 'CROSS JOIN', postgres: 'JOIN' }} seen_visitor AS viewed
    ON viewed.day = wanted.day AND viewed.kind = ${kinds.page_view}
    AND viewed.visitor = wanted.visitor
  ${{ sqlite: 'WHERE true', postgres: 'ORDER BY wanted.day, wanted.kind, viewed.visitor' }}
  ON CONFLICT DO NOTHING ${remembered}`;

/**
 * Remembers those who click, open or book. What follows a view belongs to the source of that view: so
 * no source has more clicks than views.
 */
function* newOthers(candidates: Map<string, Candidate>): Statements<Row[]> {
  const fresh = yield* newOf(candidates, rememberOthers);
  return fresh.map(rowOf);
}

interface Fresh extends Candidate {
  source: number;
}

/** A row of a visitor who is new today. */
type NewRow = Row & Pick<ActivityEvent, 'visitor'>;

const rowOf = ({ mark, source }: Fresh): NewRow => ({ ...mark, source });

/**
 * Runs the statement that remembers visitors; those that it had to remember are new. They are given in
 * one order, so that no two instances that see the same ones wait for each other.
 */
function* newOf(candidates: Map<string, Candidate>, insert: Sql): Statements<Fresh[]> {
  if (candidates.size === 0) return [];
  const inOrder = [...candidates].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = yield* all<{ name: string; source: number }>(insert, [
    JSON.stringify(inOrder.map(([, { seen }]) => seen)),
  ]);
  return rows.flatMap(({ name, source }) => {
    const found = candidates.get(name);
    return found ? [{ ...found, source }] : [];
  });
}

const mark = {
  kind: 'integer',
  at: 'integer',
  serial: 'integer',
  control: 'text',
  source: 'integer',
} as const;

const keepMarks = sql`INSERT INTO mark (kind, at, serial, control, source)
  SELECT kind, at, serial, control, source FROM ${jsonRows(mark)} AS kept`;

function* write(marks: readonly Row[], { beside = false } = {}): Statements<void> {
  // Consecutive from anywhere: two of a millisecond stay two, also beside a live one.
  const serial = randomInt(2 ** 47);
  const kindOf = (activity: Activity) => kinds[activity];
  const rows = marks.map(({ activity, control, at, source }, i) => [
    kindOf(activity),
    at,
    serial + i,
    control,
    source,
  ]);
  yield* run(keepMarks, [JSON.stringify(rows)]);
  yield* count(
    marks.map(({ activity, at, source }) => ({
      kind: kindOf(activity),
      at,
      source,
      n: 1,
      cents: 0,
    })),
    { beside },
  );
}
