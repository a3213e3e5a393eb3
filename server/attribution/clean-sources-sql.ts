/** Replaces sources that name a person in rows that earlier versions stored. */
import { all, get, run, type Steps } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { sourceText } from './source-name.ts';

/** Makes each stored source what `sourceText` makes of it. No total changes; a second run changes nothing. */
export function* cleanSources(): Steps<void> {
  const sources = yield* all<{ id: number; name: string }>(
    'SELECT id, name FROM source WHERE name IS NOT NULL',
  );
  for (const { id, name } of sources) {
    if (sourceText(name) !== name) yield* merge(id, sourceText(name));
  }
  const lasts = yield* all<{ text: string; id: number }>(
    'SELECT DISTINCT source AS text, source_id AS id FROM conversion WHERE source IS NOT NULL',
  );
  for (const { text, id } of lasts) {
    const clean = sourceText(text);
    if (clean === text) continue;
    yield* run('UPDATE conversion SET source = ? WHERE source = ?', [clean, text]);
    yield* merge(id, clean);
  }
  const firsts = yield* all<{ text: string }>(
    'SELECT DISTINCT first_source AS text FROM conversion WHERE first_source IS NOT NULL',
  );
  for (const { text } of firsts) {
    const clean = sourceText(text);
    if (clean === text) continue;
    yield* run('UPDATE conversion SET first_source = ? WHERE first_source = ?', [clean, text]);
  }
}

/** Counts everything of source `id` under the source of this name, and deletes the former. */
function* merge(id: number, name: string): Steps<void> {
  yield* run('INSERT INTO source (name, first_day) VALUES (?, 0) ON CONFLICT DO NOTHING', [name]);
  const kept = yield* get<{ id: number }>('SELECT id FROM source WHERE name = ?', [name]);
  if (!kept || kept.id === id) return;
  yield* run(addCounters, [kept.id, id]);
  yield* run('DELETE FROM counter WHERE source = ?', [id]);
  yield* run('UPDATE mark SET source = ? WHERE source = ?', [kept.id, id]);
  yield* run('UPDATE seen_visitor SET source = ? WHERE source = ?', [kept.id, id]);
  yield* run('UPDATE conversion SET source_id = ? WHERE source_id = ?', [kept.id, id]);
  yield* run('DELETE FROM source WHERE id = ?', [id]);
}

/** Slot 0 belongs to transactions that hold the writer, as these do. */
const addCounters: Sql = {
  sqlite: `INSERT INTO counter (source, width, bucket, kind, n, cents)
    SELECT ?, width, bucket, kind, n, cents FROM counter WHERE source = ?
    ON CONFLICT (source, width, bucket, kind) DO UPDATE
    SET n = n + excluded.n, cents = cents + excluded.cents`,
  postgres: `INSERT INTO counter (source, width, bucket, kind, slot, n, cents)
    SELECT CAST(? AS bigint), width, bucket, kind, 0, sum(n), sum(cents)
    FROM counter WHERE source = ? GROUP BY width, bucket, kind
    ON CONFLICT (source, width, bucket, kind, slot) DO UPDATE
    SET n = counter.n + excluded.n, cents = counter.cents + excluded.cents`,
};
