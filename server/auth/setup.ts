/** The set-up of a fresh site in the browser: its code allows setting the password, once. */
import type { Quota, RateLimiter } from '../rate-limit/limiter.ts';
import { minuteMs } from '../time/units.ts';
import { ApiError, refuse } from '../trpc/errors.ts';
import { type AuthStore, type SetupClaim, setUpBy } from './store.ts';
import { hashOfToken } from './token.ts';

/** Wrong codes of one address, and those of all. */
const addressQuota: Quota = { max: 10, windowMs: 10 * minuteMs };
const sharedQuota: Quota = { max: 100, windowMs: 10 * minuteMs };

export type Setup = ReturnType<typeof createSetup>;

/** @param attempts counts the codes that are tried */
export function createSetup({
  store,
  attempts,
}: {
  store: Pick<AuthStore, 'setupCodeHash' | 'setUp'>;
  attempts: RateLimiter;
}) {
  const requireOpen = async (): Promise<string> => {
    const stored = await store.setupCodeHash();
    if (stored === undefined) throw new ApiError('NOT_FOUND');
    return stored;
  };
  return {
    /** Whether the set-up waits for its code. */
    isOpen: async (): Promise<boolean> => (await store.setupCodeHash()) !== undefined,

    /** Throws `NOT_FOUND` once the set-up is closed. */
    requireOpen,

    /**
     * Returns the hash of the right code. Throws `INVALID_CODE` for a wrong one, and `LOGIN_RATE_LIMITED` after ten of
     * them from this address. Wrong ones from elsewhere never keep the right one out.
     */
    async matchedHash(code: string, addressBlock: string): Promise<string> {
      const stored = await requireOpen();
      // Counted before it is compared, so that many at once are counted, too.
      refuse(await attempts.consume(addressBlock, addressQuota), 'LOGIN_RATE_LIMITED');
      const hash = hashOfToken(code.trim());
      if (hash === stored) {
        await attempts.reset(addressBlock);
        return hash;
      }
      refuse(await attempts.consume('all', sharedQuota), 'LOGIN_RATE_LIMITED');
      throw new ApiError('INVALID_CODE');
    },

    /** Sets the password and closes the set-up. Throws `NOT_FOUND` when another one was faster. */
    finish: store.setUp,

    /** The statements of `finish`, for a transaction that does more. */
    finishBy: (claim: SetupClaim) => () => setUpBy(claim),
  };
}
