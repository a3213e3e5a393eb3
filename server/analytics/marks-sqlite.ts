/** Writing marks, many at a time: the driver's price is by the call, so each step is one call. */
import { randomInt } from 'node:crypto';
import type { Tx } from '../database/sqlite.ts';
import { countAll, kinds } from './counters-sqlite.ts';
import type { Mark, PastMark } from './store.ts';
import { dayOf } from './visitors.ts';

/** Keeps the marks of visitors who were not counted yet that day; the others change nothing. */
export function addNewMarks(tx: Tx, marks: readonly Mark[]): void {
  const candidates = new Map<string, { mark: PastMark; row: [number, number, string] }>();
  for (const { activity, control, visitor, at } of marks) {
    const key = visitor.toString('hex').toUpperCase();
    // Whoever is first seen clicking has viewed the page, too.
    const parts: PastMark[] = [{ activity: 'page_view', control: null, at }];
    if (activity !== 'page_view') parts.push({ activity, control, at });
    for (const mark of parts) {
      const row: [number, number, string] = [dayOf(at), kinds[mark.activity], key];
      const name = row.join();
      // Of one visitor's repeats the first counts, whatever the order they came in.
      const earlier = candidates.get(name)?.mark;
      if (!earlier || at < earlier.at) candidates.set(name, { mark, row });
    }
  }
  const isNew = tx.all<{ day: number; kind: number; visitor: string }>(
    `INSERT INTO seen_visitor (day, kind, visitor)
     SELECT value ->> 0, value ->> 1, unhex(value ->> 2) FROM json_each(?) WHERE true
     ON CONFLICT DO NOTHING RETURNING day, kind, hex(visitor) AS visitor`,
    [JSON.stringify([...candidates.values()].map(({ row }) => row))],
  );
  const fresh = isNew.flatMap(
    ({ day, kind, visitor }) => candidates.get([day, kind, visitor].join())?.mark ?? [],
  );
  if (fresh.length > 0) addMarks(tx, fresh);
}

/** Keeps marks as they are, and their counts. */
export function addMarks(tx: Tx, marks: readonly PastMark[]): void {
  // Consecutive from anywhere: two of a millisecond stay two, also beside a live one.
  const serial = randomInt(2 ** 47);
  const rows = marks.map(({ activity, control, at }, i) => [
    kinds[activity],
    at,
    serial + i,
    control,
  ]);
  tx.run(
    `INSERT INTO mark (kind, at, serial, control)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
    [JSON.stringify(rows)],
  );
  countAll(tx, marks);
}
