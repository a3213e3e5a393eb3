import { randomInt } from 'node:crypto';
import { batched } from '../database/batcher.ts';
import { clockSkew } from '../database/clock-skew.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { jsonRows, sql } from '../database/sql.ts';
import type { Usage } from './limiter.ts';
import type { UsageStore } from './shared-limiter.ts';

/** The longest time that anything counts, in ms. */
const longest = 24 * 60 * 60_000;

const use = { key: 'text', used: 'integer', ends: 'integer' } as const;
const looking = sql`SELECT key, used, ends AS "endsAt" FROM allowance
  WHERE key IN (SELECT key FROM ${jsonRows({ key: 'text' })} AS wanted)`;
const keeping = sql`INSERT INTO allowance (key, used, ends)
  SELECT key, used, ends FROM ${jsonRows(use)} AS kept WHERE true
  ON CONFLICT (key) DO UPDATE SET used = excluded.used, ends = excluded.ends`;

/** So much was used by this key. */
interface Added {
  key: string;
  n: number;
  per: number;
  now: number;
}

/** Adds up what was used, in this order; answers with what each made of it. */
function* addAll(added: readonly Added[]): Statements<Usage[]> {
  const keys = [...new Set(added.map(({ key }) => key))];
  const rows = yield* all<Usage & { key: string }>(looking, [
    JSON.stringify(keys.map((key) => [key])),
  ]);
  const uses = new Map(
    rows.map(({ key, used, endsAt }): [string, Usage] => [key, { used, endsAt }]),
  );
  const answers = added.map(({ key, n, per, now }) => {
    const current = uses.get(key);
    // One that ends too late was begun by a clock that is ahead.
    const goesOn = current && current.endsAt > now && current.endsAt - now <= per + clockSkew;
    const together = goesOn
      ? { used: current.used + n, endsAt: Math.min(current.endsAt, now + per) }
      : { used: n, endsAt: now + per };
    uses.set(key, together);
    return together;
  });
  yield* run(keeping, [
    JSON.stringify([...uses].map(([key, { used, endsAt }]) => [key, used, endsAt])),
  ]);
  return answers;
}

export function createUsageStore(database: Database): UsageStore {
  const add = batched(database.write, addAll);
  return {
    add: (key, n, { per, now }) => add({ key, n, per, now }),

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

    join: (key, { max, windowMs: per, now }) =>
      database.write(function* (): Statements<number> {
        // One from the future was made by a clock that has been put right since.
        const tries = yield* get<{ n: number; oldest: number | null }>(
          'SELECT count(*) AS n, min(at) AS oldest FROM attempt WHERE key = ? AND at > ? AND at <= ?',
          [key, now - per, now + clockSkew],
        );
        if (tries && tries.n >= max) return Math.max(1, (tries.oldest ?? now) + per - now);
        yield* run('INSERT INTO attempt (key, at, serial) VALUES (?, ?, ?)', [
          key,
          now,
          randomInt(2 ** 47),
        ]);
        return 0;
      }),

    leave: (key, at) =>
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
        yield* run('DELETE FROM attempt WHERE at <= ?', [now - longest]);
      }),
  };
}
