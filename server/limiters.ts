/** Who counts tries: this instance for itself, or all that share a database together. */
import { createHmac } from 'node:crypto';
import { createGuesses, createSum, type GuessCounts, type Guesses } from './auth/guesses.ts';
import { createLimiter, type Limiter } from './limits.ts';
import { createSharedLimiter, type UseStore } from './shared-limits.ts';

export interface Limiters {
  limiter: Limiter;
  guesses: Guesses;
  /** Adds up what instances have counted of visitors; undefined: there is but one instance. */
  visitors: Limiter | undefined;
}

/**
 * @param uses where instances count together; undefined: there is but one
 * @param secret the same for all of them; with it addresses become names that nobody can read
 */
export function createLimiters({
  uses,
  secret,
  now,
}: {
  uses: UseStore | undefined;
  secret: string;
  now: () => number;
}): Limiters {
  if (uses === undefined) {
    const counts = { devices: createLimiter(now), addresses: createLimiter(now), all: createSum() };
    return {
      limiter: createLimiter(now),
      guesses: createGuesses(counts, now),
      visitors: undefined,
    };
  }
  const shared = (what: string, { isStrict = false } = {}) => {
    const nameOf = (key: string) =>
      createHmac('sha256', secret).update(`${what} ${key}`).digest('base64url');
    return createSharedLimiter({ own: createLimiter(now), uses, nameOf, now, isStrict });
  };
  const counts: GuessCounts = {
    devices: shared('device', { isStrict: true }),
    addresses: shared('guess', { isStrict: true }),
    all: {
      take: (at, allowance) => uses.join('strangers', { ...allowance, now: at }),
      giveBack: (at) => uses.leave('strangers', at),
    },
  };
  return {
    limiter: shared('call'),
    guesses: createGuesses(counts, now),
    visitors: shared('visitor'),
  };
}
