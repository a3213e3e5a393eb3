/** Writing marks, many at a time: the driver's price is by the call, so each step is one call. */
import { randomInt } from 'node:crypto';
import type { Tx } from '../database/sqlite.ts';
import { count, kinds } from './counters-sqlite.ts';
import { direct, type KnownSources, sourceIds, trusted } from './sources-sqlite.ts';
import type { Activity, Mark, PastMark } from './store.ts';
import { dayOf } from './visitors.ts';

/** A mark whose source has its number. */
interface Row extends Omit<PastMark, 'source'> {
  source: number;
}

interface Candidate {
  mark: Mark;
  /** Day, kind, visitor and, where it is known, the source, as the tables have them. */
  seen: [number, number, string, number];
}

/**
 * Keeps the marks of visitors who were not counted yet that day; the others change nothing. Sources
 * that are `known` are not looked up.
 */
export function addNewMarks(tx: Tx, marks: readonly Mark[], known: KnownSources): void {
  const views = new Map<string, Candidate>();
  const others = new Map<string, Candidate>();
  const idOf = (source: string | null) =>
    source === null ? direct : (known.get(source) ?? direct);
  for (const mark of marks) {
    // Whoever is first seen clicking has viewed the page, too.
    keepFirst(views, { ...mark, activity: 'page_view', control: null }, idOf);
    if (mark.activity !== 'page_view') keepFirst(others, mark, idOf);
  }
  const fresh = [...newViews(tx, views, known), ...newOthers(tx, others)];
  if (fresh.length > 0) write(tx, fresh);
}

/** Keeps marks as they are, and their counts. */
export function addMarks(tx: Tx, marks: readonly PastMark[]): void {
  const idOf = sourceIds(
    tx,
    marks.map(({ source }) => source),
    { day: trusted },
  );
  write(
    tx,
    marks.map((mark) => ({ ...mark, source: idOf(mark.source) })),
  );
}

/** Of one visitor's repeats the first counts, whatever the order they came in. */
function keepFirst(
  candidates: Map<string, Candidate>,
  mark: Mark,
  idOf: (source: string | null) => number,
): void {
  const { activity, visitor, at, source } = mark;
  const name = nameOf(dayOf(at), kinds[activity], visitor);
  const known = candidates.get(name);
  if (known && known.mark.at <= at) return;
  candidates.set(name, { mark, seen: [dayOf(at), kinds[activity], visitor, idOf(source)] });
}

/** What the statements below answer with. */
const nameOf = (day: number, kind: number, visitor: string) => `${day},${kind},${visitor}`;

/** Remembers those who view, and answers with the views of those that were not there yet. */
function newViews(tx: Tx, candidates: Map<string, Candidate>, known: KnownSources): Row[] {
  const fresh = newOf(
    tx,
    candidates,
    `INSERT INTO seen_visitor (day, kind, visitor, source)
     SELECT value ->> 0, value ->> 1, unhex(value ->> 2), value ->> 3 FROM json_each(?) WHERE true
     ON CONFLICT DO NOTHING RETURNING day || ',' || kind || ',' || lower(hex(visitor)) AS name, source`,
  );
  // Only now: who was counted today brings no new names.
  const isUnknown = ({ mark: { source } }: Fresh) => source !== null && !known.has(source);
  const strange = fresh.filter(isUnknown);
  if (strange.length === 0) return fresh.map(rowOf);
  const idOf = sourceIds(
    tx,
    strange.map(({ mark }) => mark.source),
    { day: dayOf(strange[0]?.mark.at ?? 0) },
  );
  tx.run(
    `UPDATE seen_visitor SET source = value ->> 3 FROM json_each(?)
     WHERE day = value ->> 0 AND kind = value ->> 1 AND visitor = unhex(value ->> 2)`,
    [JSON.stringify(strange.map(({ mark, seen }) => [...seen.slice(0, 3), idOf(mark.source)]))],
  );
  return fresh.map((found) =>
    rowOf(isUnknown(found) ? { ...found, source: idOf(found.mark.source) } : found),
  );
}

/**
 * Remembers those who click, open or book. What follows a view belongs to the source of that view: so
 * no source has more clicks than views.
 */
function newOthers(tx: Tx, candidates: Map<string, Candidate>): Row[] {
  return newOf(
    tx,
    candidates,
    `INSERT INTO seen_visitor (day, kind, visitor, source)
     SELECT wanted.value ->> 0, wanted.value ->> 1, viewed.visitor, viewed.source
     FROM json_each(?) AS wanted CROSS JOIN seen_visitor AS viewed
       ON viewed.day = wanted.value ->> 0 AND viewed.kind = ${kinds.page_view}
       AND viewed.visitor = unhex(wanted.value ->> 2)
     WHERE true
     ON CONFLICT DO NOTHING RETURNING day || ',' || kind || ',' || lower(hex(visitor)) AS name, source`,
  ).map(rowOf);
}

interface Fresh extends Candidate {
  source: number;
}

const rowOf = ({ mark, source }: Fresh): Row => ({ ...mark, source });

/** Runs the statement that remembers visitors; those that it had to remember are new. */
function newOf(tx: Tx, candidates: Map<string, Candidate>, insert: string): Fresh[] {
  if (candidates.size === 0) return [];
  const rows = tx.all<{ name: string; source: number }>(insert, [
    JSON.stringify([...candidates.values()].map(({ seen }) => seen)),
  ]);
  return rows.flatMap(({ name, source }) => {
    const found = candidates.get(name);
    return found ? [{ ...found, source }] : [];
  });
}

function write(tx: Tx, marks: readonly Row[]): void {
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
  tx.run(
    `INSERT INTO mark (kind, at, serial, control, source)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)`,
    [JSON.stringify(rows)],
  );
  count(
    tx,
    marks.map(({ activity, at, source }) => ({
      kind: kindOf(activity),
      at,
      source,
      n: 1,
      cents: 0,
    })),
  );
}
