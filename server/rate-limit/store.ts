import { randomInt } from 'node:crypto';
import { batched } from '../database/batcher.ts';
import { columns, count, min } from '../database/columns.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { schema, text } from '../database/schema.ts';
import { jsonRows, sql } from '../database/sql.ts';
import { clockSkew, dayMs } from '../time/units.ts';
import type { Quota, Usage } from './limiter.ts';

/** The longest window of attempts, in ms. */
const maxWindowMs = dayMs;

const selectUsages = sql`SELECT ${columns('rate_limit', 'key', 'used', { endsAt: 'ends_at' })}
  FROM rate_limit WHERE key IN (SELECT key FROM ${jsonRows({ key: text })} AS wanted)`;
const upsertUsages = sql`INSERT INTO rate_limit (key, used, ends_at)
  SELECT key, used, ends_at FROM ${jsonRows(schema.rate_limit)} AS updated WHERE true
  ON CONFLICT (key) DO UPDATE SET used = excluded.used, ends_at = excluded.ends_at`;
const countAttempts = sql`SELECT ${columns('rate_limit_attempt', { n: count, oldest: min('at') })}
  FROM rate_limit_attempt WHERE key = ? AND at > ? AND at <= ?`;

/** `n` uses of a key. */
interface Increment {
  key: string;
  n: number;
  windowMs: number;
  now: number;
}

/** Adds the increments in order; returns the window of each key after its increment. */
function* addAll(increments: readonly Increment[]): Statements<Usage[]> {
  const keys = [...new Set(increments.map(({ key }) => key))];
  const rows = yield* all(selectUsages, [JSON.stringify(keys.map((key) => [key]))]);
  const usages = new Map(
    rows.map(({ key, used, endsAt }): [string, Usage] => [key, { used, endsAt }]),
  );
  const results = increments.map(({ key, n, windowMs, now }) => {
    const current = usages.get(key);
    // A window that ends too late was opened by an instance whose clock was ahead.
    const isOpen = current && current.endsAt > now && current.endsAt - now <= windowMs + clockSkew;
    const updated = isOpen
      ? { used: current.used + n, endsAt: Math.min(current.endsAt, now + windowMs) }
      : { used: n, endsAt: now + windowMs };
    usages.set(key, updated);
    return updated;
  });
  yield* run(upsertUsages, [
    JSON.stringify([...usages].map(([key, { used, endsAt }]) => [key, used, endsAt])),
  ]);
  return results;
}

export type UsageStore = ReturnType<typeof createUsageStore>;

/** Creates the store of counts that all instances share. */
export function createUsageStore(database: Database) {
  const add = batched(database.write, addAll);
  return {
    /**
     * Adds `n` to the uses of a key and returns its window. A window starts with its first use and lasts
     * `windowMs`.
     */
    add: (key: string, n: number, { windowMs, now }: { windowMs: number; now: number }) =>
      add({ key, n, windowMs, now }),

    release: (key: string, n: number) =>
      database.write(function* () {
        yield* run(
          'UPDATE rate_limit SET used = CASE WHEN used > ? THEN used - ? ELSE 0 END WHERE key = ?',
          [n, n, key],
        );
      }),

    reset: (key: string) =>
      database.write(function* () {
        yield* run('DELETE FROM rate_limit WHERE key = ?', [key]);
      }),

    /**
     * Counts an attempt in a sliding window: at most `max` within any `windowMs`. Returns 0, or the
     * milliseconds to wait; a rejected attempt is not counted.
     */
    consumeAttempt: (key: string, { max, windowMs, now }: Quota & { now: number }) =>
      database.write(function* (): Statements<number> {
        // An attempt in the future was counted by a clock that was ahead; it is ignored.
        const attempts = yield* get(countAttempts, [key, now - windowMs, now + clockSkew]);
        if (attempts && attempts.n >= max) {
          return Math.max(1, (attempts.oldest ?? now) + windowMs - now);
        }
        yield* run('INSERT INTO rate_limit_attempt (key, at, serial) VALUES (?, ?, ?)', [
          key,
          now,
          randomInt(2 ** 47),
        ]);
        return 0;
      }),

    /** Deletes one attempt that was counted at this time. */
    releaseAttempt: (key: string, at: number) =>
      database.write(function* () {
        yield* run(
          `DELETE FROM rate_limit_attempt WHERE key = ? AND at = ? AND serial IN (
             SELECT serial FROM rate_limit_attempt WHERE key = ? AND at = ? LIMIT 1)`,
          [key, at, key, at],
        );
      }),

    /** Deletes windows that have ended and attempts older than a day. */
    deleteExpired: (now: number) =>
      database.write(function* () {
        yield* run('DELETE FROM rate_limit WHERE ends_at <= ?', [now]);
        yield* run('DELETE FROM rate_limit_attempt WHERE at <= ?', [now - maxWindowMs]);
      }),
  };
}
