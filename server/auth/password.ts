/**
 * Password hashing with scrypt, off the event loop, one password at a time.
 *
 * A hash takes a third of a second by design, so a flood of logins would starve the thread pool that
 * file and DNS operations share. Four logins of each bucket may wait, others are rejected at once;
 * known devices are checked before strangers.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { ReportedAct } from '../email/owner-notice.ts';
import { normalized } from '../text/normalized.ts';
import { ApiError } from '../trpc/errors.ts';
import type { Bucket } from './login-throttle.ts';
import type { AuthStore } from './store.ts';

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** scrypt parameters: N = 2^cost blocks of 8 × 128 bytes (r = 8), p = `rounds`. */
export interface HashCost {
  cost: number;
  rounds: number;
}
/** Recommended by OWASP: N = 2^15 with p = 3. */
const defaultCost: HashCost = { cost: 15, rounds: 3 };
const keyLength = 32;

/** Hashes a password as `scrypt$cost$rounds$salt$key`, so that the parameters may change later. */
export async function hashPassword(
  password: string,
  hashCost: HashCost = defaultCost,
): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt, hashCost);
  return ['scrypt', hashCost.cost, hashCost.rounds, encode(salt), encode(key)].join('$');
}

/** Whether `hash` was made from `password`, compared in constant time. */
export async function matches(password: string, hash: string): Promise<boolean> {
  const [scheme, cost, rounds, salt = '', key = ''] = hash.split('$');
  if (scheme !== 'scrypt') throw new Error(`The stored password has an unknown scheme: ${scheme}.`);
  const expected = Buffer.from(key, 'base64url');
  const hashCost = { cost: Number(cost), rounds: Number(rounds) };
  const actual = await deriveKey(password, Buffer.from(salt, 'base64url'), hashCost);
  return timingSafeEqual(actual, expected);
}

const encode = (bytes: Buffer) => bytes.toString('base64url');

function deriveKey(password: string, salt: Buffer, { cost, rounds }: HashCost): Promise<Buffer> {
  const N = 2 ** cost;
  const options = { N, r: 8, p: rounds, maxmem: 2 * 128 * N * 8 };
  return scryptAsync(normalized(password), salt, keyLength, options);
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Maximum waiting logins of a bucket, and the Retry-After of a rejected one in ms. */
const maxWaiting = 4;
const retryAfterMs = 2000;

/** Creates the queue that checks and hashes passwords one at a time. */
export function createPasswords(
  store: Pick<AuthStore, 'passwordHash' | 'replacePasswordHash'>,
  { hashCost }: { hashCost?: HashCost | undefined } = {},
) {
  const waiting: Record<Bucket, (() => void)[]> = { known: [], stranger: [] };
  let isChecking = false;

  const acquire = async (bucket: Bucket): Promise<void> => {
    if (!isChecking) {
      isChecking = true;
      return;
    }
    const queue = waiting[bucket];
    if (queue.length >= maxWaiting) throw new ApiError('LOGIN_BUSY', { wait: retryAfterMs });
    await new Promise<void>((resolve) => queue.push(resolve));
  };
  // Hands the lock to the next waiter directly, so that newcomers cannot overtake it.
  const release = (): void => {
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next) next();
    else isChecking = false;
  };

  /** Throws `LOGIN_BUSY` when four of this bucket wait already. */
  const inTurn = async <T>(bucket: Bucket, task: () => Promise<T>): Promise<T> => {
    await acquire(bucket);
    try {
      return await task();
    } finally {
      release();
    }
  };

  return {
    /**
     * Returns the stored hash if the password matches it, else undefined. Throws `LOGIN_BUSY` when
     * four logins of this bucket wait already.
     */
    match: (password: string, bucket: Bucket): Promise<string | undefined> =>
      inTurn(bucket, async () => {
        const hash = await store.passwordHash();
        return hash !== undefined && (await matches(password, hash)) ? hash : undefined;
      }),

    /** Hashes a new password of the owner. */
    hash: (password: string): Promise<string> =>
      inTurn('known', () => hashPassword(password, hashCost)),

    /**
     * Sets a new password by `act` in place of the one with the hash `current`, and ends every session. Returns
     * its hash; undefined, without a change, when another password was set meanwhile.
     */
    replace: (current: string, password: string, act: ReportedAct): Promise<string | undefined> =>
      inTurn('known', async () => {
        const hash = await hashPassword(password, hashCost);
        return (await store.replacePasswordHash(current, hash, act)) ? hash : undefined;
      }),
  };
}
