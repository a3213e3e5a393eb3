import { randomInt } from 'node:crypto';
import { columns, count, min } from '../database/columns.ts';
import { type Database, get, run, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { clockSkew, dayMs } from '../time/units.ts';
import type { Quota, Usage } from './limiter.ts';

/** The longest window of attempts, in ms. */
const maxWindowMs = dayMs;

/** Windows that ended have no uses; one that ends too late was opened by an instance whose clock was ahead. */
const addUses = sql`INSERT INTO rate_limit (key, used, ends_at) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET
    used = excluded.used + CASE
      WHEN rate_limit.ends_at > ? AND rate_limit.ends_at <= excluded.ends_at + ${clockSkew}
      THEN rate_limit.used ELSE 0 END,
    ends_at = CASE
      WHEN rate_limit.ends_at > ? AND rate_limit.ends_at < excluded.ends_at
      THEN rate_limit.ends_at ELSE excluded.ends_at END
  RETURNING ${columns('rate_limit', 'used', { endsAt: 'ends_at' })}`;
const countAttempts = sql`SELECT ${columns('rate_limit_attempt', { n: count, oldest: min('at') })}
  FROM rate_limit_attempt WHERE key = ? AND at > ? AND at <= ?`;

export type UsageStore = ReturnType<typeof createUsageStore>;

/** Creates the store of counts that all instances share. */
export function createUsageStore(database: Database) {
  return {
    /**
     * Adds `n` to the uses of a key and returns its window. A window starts with its first use and lasts
     * `windowMs`.
     */
    add: (key: string, n: number, { windowMs, now }: { windowMs: number; now: number }) =>
      database.write(function* (): Statements<Usage> {
        const endsAt = now + windowMs;
        return (yield* get(addUses, [key, n, endsAt, now, now])) ?? { used: n, endsAt };
      }),

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
