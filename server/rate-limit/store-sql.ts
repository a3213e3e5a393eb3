import { randomInt } from 'node:crypto';
import { batched } from '../database/batcher.ts';
import { clockSkew } from '../database/clock-skew.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { jsonRows, sql } from '../database/sql.ts';
import type { Usage } from './limiter.ts';
import type { UsageStore } from './shared-limiter.ts';

/** The longest window of attempts, in ms. */
const maxWindowMs = 24 * 60 * 60_000;

const usageColumns = { key: 'text', used: 'integer', ends: 'integer' } as const;
const selectUsages = sql`SELECT key, used, ends AS "endsAt" FROM allowance
  WHERE key IN (SELECT key FROM ${jsonRows({ key: 'text' })} AS wanted)`;
const upsertUsages = sql`INSERT INTO allowance (key, used, ends)
  SELECT key, used, ends FROM ${jsonRows(usageColumns)} AS updated WHERE true
  ON CONFLICT (key) DO UPDATE SET used = excluded.used, ends = excluded.ends`;

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
  const rows = yield* all<Usage & { key: string }>(selectUsages, [
    JSON.stringify(keys.map((key) => [key])),
  ]);
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

/** Creates the store of counts that all instances share. */
export function createUsageStore(database: Database): UsageStore {
  const add = batched(database.write, addAll);
  return {
    add: (key, n, { windowMs, now }) => add({ key, n, windowMs, now }),

    refund: (key, n) =>
      database.write(function* () {
        yield* run(
          'UPDATE allowance SET used = CASE WHEN used > ? THEN used - ? ELSE 0 END WHERE key = ?',
          [n, n, key],
        );
      }),

    reset: (key) =>
      database.write(function* () {
        yield* run('DELETE FROM allowance WHERE key = ?', [key]);
      }),

    consumeAttempt: (key, { max, windowMs, now }) =>
      database.write(function* (): Statements<number> {
        // An attempt in the future was counted by a clock that was ahead; it is ignored.
        const attempts = yield* get<{ n: number; oldest: number | null }>(
          'SELECT count(*) AS n, min(at) AS oldest FROM attempt WHERE key = ? AND at > ? AND at <= ?',
          [key, now - windowMs, now + clockSkew],
        );
        if (attempts && attempts.n >= max) {
          return Math.max(1, (attempts.oldest ?? now) + windowMs - now);
        }
        yield* run('INSERT INTO attempt (key, at, serial) VALUES (?, ?, ?)', [
          key,
          now,
          randomInt(2 ** 47),
        ]);
        return 0;
      }),

    refundAttempt: (key, at) =>
      database.write(function* () {
        yield* run(
          `DELETE FROM attempt WHERE key = ? AND at = ? AND serial IN (
             SELECT serial FROM attempt WHERE key = ? AND at = ? LIMIT 1)`,
          [key, at, key, at],
        );
      }),

    deleteExpired: (now) =>
      database.write(function* () {
        yield* run('DELETE FROM allowance WHERE ends <= ?', [now]);
        yield* run('DELETE FROM attempt WHERE at <= ?', [now - maxWindowMs]);
      }),
  };
}
