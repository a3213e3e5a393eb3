import { randomInt } from 'node:crypto';
import { type Database, get, run, type Steps } from './database/database.ts';
import type { Use } from './limits.ts';
import type { UseStore } from './shared-limits.ts';

/** By how much the clocks of instances may differ, in ms. */
const skew = 60_000;

/** The longest time that anything counts, in ms. */
const longest = 24 * 60 * 60_000;

export function createUseStore(database: Database): UseStore {
  return {
    add: (key, n, { per, now }) =>
      database.write(function* () {
        const current = yield* get<Use>('SELECT used, ends FROM allowance WHERE key = ?', [key]);
        // One that ends too late was begun by a clock that is ahead.
        const goesOn = current && current.ends > now && current.ends - now <= per + skew;
        const use = goesOn
          ? { used: current.used + n, ends: Math.min(current.ends, now + per) }
          : { used: n, ends: now + per };
        yield* run(
          `INSERT INTO allowance (key, used, ends) VALUES (?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET used = excluded.used, ends = excluded.ends`,
          [key, use.used, use.ends],
        );
        return use;
      }),

    giveBack: (key) =>
      database.write(function* () {
        yield* run('UPDATE allowance SET used = used - 1 WHERE key = ? AND used > 0', [key]);
      }),

    clear: (key) =>
      database.write(function* () {
        yield* run('DELETE FROM allowance WHERE key = ?', [key]);
      }),

    join: (key, { max, per, now }) =>
      database.write(function* (): Steps<number> {
        // One from the future was made by a clock that has been put right since.
        const tries = yield* get<{ n: number; oldest: number | null }>(
          'SELECT count(*) AS n, min(at) AS oldest FROM attempt WHERE key = ? AND at > ? AND at <= ?',
          [key, now - per, now + skew],
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

    forget: (now) =>
      database.write(function* () {
        yield* run('DELETE FROM allowance WHERE ends <= ?', [now]);
        yield* run('DELETE FROM attempt WHERE at <= ?', [now - longest]);
      }),
  };
}
