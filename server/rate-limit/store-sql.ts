import { randomInt } from 'node:crypto';
import { bundling } from '../database/batcher.ts';
import { clockSkew } from '../database/clock-skew.ts';
import { all, type Database, get, run, type Steps } from '../database/database.ts';
import { given, sql } from '../database/sql.ts';
import type { Use } from './limiter.ts';
import type { UseStore } from './shared-limiter.ts';

/** The longest time that anything counts, in ms. */
const longest = 24 * 60 * 60_000;

const use = { key: 'text', used: 'integer', ends: 'integer' } as const;
const looking = sql`SELECT key, used, ends FROM allowance
  WHERE key IN (SELECT key FROM ${given({ key: 'text' })} AS wanted)`;
const keeping = sql`INSERT INTO allowance (key, used, ends)
  SELECT key, used, ends FROM ${given(use)} AS kept WHERE true
  ON CONFLICT (key) DO UPDATE SET used = excluded.used, ends = excluded.ends`;

/** So much was used by this key. */
interface Added {
  key: string;
  n: number;
  per: number;
  now: number;
}

/** Adds up what was used, in this order; answers with what each made of it. */
function* addAll(added: readonly Added[]): Steps<Use[]> {
  const keys = [...new Set(added.map(({ key }) => key))];
  const rows = yield* all<Use & { key: string }>(looking, [
    JSON.stringify(keys.map((key) => [key])),
  ]);
  const uses = new Map(rows.map(({ key, used, ends }): [string, Use] => [key, { used, ends }]));
  const answers = added.map(({ key, n, per, now }) => {
    const current = uses.get(key);
    // One that ends too late was begun by a clock that is ahead.
    const goesOn = current && current.ends > now && current.ends - now <= per + clockSkew;
    const together = goesOn
      ? { used: current.used + n, ends: Math.min(current.ends, now + per) }
      : { used: n, ends: now + per };
    uses.set(key, together);
    return together;
  });
  yield* run(keeping, [
    JSON.stringify([...uses].map(([key, { used, ends }]) => [key, used, ends])),
  ]);
  return answers;
}

export function createUseStore(database: Database): UseStore {
  const add = bundling(database.write, addAll);
  return {
    add: (key, n, { per, now }) => add({ key, n, per, now }),

    giveBack: (key, n) =>
      database.write(function* () {
        yield* run(
          'UPDATE allowance SET used = CASE WHEN used > ? THEN used - ? ELSE 0 END WHERE key = ?',
          [n, n, key],
        );
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

    forget: (now) =>
      database.write(function* () {
        yield* run('DELETE FROM allowance WHERE ends <= ?', [now]);
        yield* run('DELETE FROM attempt WHERE at <= ?', [now - longest]);
      }),
  };
}
