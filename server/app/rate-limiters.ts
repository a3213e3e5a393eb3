/** Who counts tries: this instance for itself, or all that share a database together. */
import { createHmac } from 'node:crypto';
import {
  createGuesses,
  createSum,
  type GuessCounts,
  type Guesses,
} from '../auth/login-throttle.ts';
import { createLimiter, type Limiter } from '../rate-limit/limiter.ts';
import { createSharedLimiter, type UseStore } from '../rate-limit/shared-limiter.ts';

export interface Limiters {
  limiter: Limiter;
  /** Counts contact messages only, so that other calls cannot displace its counts from memory. */
  messageLimiter: Limiter;
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
  passwordHash,
  now,
}: {
  uses: UseStore | undefined;
  secret: string;
  passwordHash: () => Promise<string | undefined>;
  now: () => number;
}): Limiters {
  const about = { passwordHash, now };
  if (uses === undefined) {
    const counts = { devices: createLimiter(now), addresses: createLimiter(now), all: createSum() };
    return {
      limiter: createLimiter(now),
      messageLimiter: createLimiter(now),
      guesses: createGuesses(counts, about),
      visitors: undefined,
    };
  }
  const naming = (what: string) => (key: string) =>
    createHmac('sha256', secret).update(`${what} ${key}`).digest('base64url');
  const shared = (what: string, { isStrict = false } = {}) =>
    createSharedLimiter({ own: createLimiter(now), uses, nameOf: naming(what), now, isStrict });
  const strangers = naming('strangers');
  const counts: GuessCounts = {
    devices: shared('device', { isStrict: true }),
    addresses: shared('guess', { isStrict: true }),
    all: {
      take: (key, at, allowance) => uses.join(strangers(key), { ...allowance, now: at }),
      giveBack: (key, at) => uses.leave(strangers(key), at),
    },
  };
  return {
    limiter: shared('call'),
    messageLimiter: shared('message'),
    guesses: createGuesses(counts, about),
    visitors: shared('visitor'),
  };
}
