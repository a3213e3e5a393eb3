/**
 * The admin's password: scrypt, off the event loop, one at a time.
 *
 * A hash costs a third of a second by design, so a flood of guesses is the real danger: it would
 * starve the thread pool that files and DNS need as well. One guess is checked, four may wait, the
 * rest are refused at once. Browsers that are known have four places of their own, and come next.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { sentences, TooManyRequests } from '../trpc/errors.ts';
import type { Bucket } from './login-throttle.ts';
import type { AuthStore } from './store.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** scrypt's price: 2^cost blocks of 8 × 128 bytes, `rounds` times. OWASP: 2^15 with 3 rounds. */
export interface Price {
  cost: number;
  rounds: number;
}
const fullPrice: Price = { cost: 15, rounds: 3 };
const keyLength = 32;

/** Hashes a password as `scrypt$cost$rounds$salt$key`, so that the price may change later. */
export async function hashPassword(password: string, price: Price = fullPrice): Promise<string> {
  const salt = randomBytes(16);
  const key = await stretch(password, salt, price);
  return ['scrypt', price.cost, price.rounds, encode(salt), encode(key)].join('$');
}

/** Whether `password` made `hash`; takes the same time whatever the answer. */
export async function matches(password: string, hash: string): Promise<boolean> {
  const [scheme, cost, rounds, salt = '', key = ''] = hash.split('$');
  if (scheme !== 'scrypt') throw new Error(`The stored password has an unknown scheme: ${scheme}.`);
  const expected = Buffer.from(key, 'base64url');
  const price = { cost: Number(cost), rounds: Number(rounds) };
  return timingSafeEqual(await stretch(password, Buffer.from(salt, 'base64url'), price), expected);
}

const encode = (bytes: Buffer) => bytes.toString('base64url');

function stretch(password: string, salt: Buffer, { cost, rounds }: Price): Promise<Buffer> {
  const N = 2 ** cost;
  const options = { N, r: 8, p: rounds, maxmem: 2 * 128 * N * 8 };
  return derive(password.normalize('NFKC'), salt, keyLength, options);
}

export interface Passwords {
  /**
   * The stored hash that this password matches, or undefined when it is wrong. Throws
   * `TooManyRequests` when too many of that lane wait already.
   */
  match(password: string, lane: Bucket): Promise<string | undefined>;
}

/** How many of a lane may wait, and how soon asking again makes sense, in ms. */
const waitingRoom = 4;
const untilThereIsRoom = 2000;

export function createPasswords(store: Pick<AuthStore, 'passwordHash'>): Passwords {
  const waiting: Record<Bucket, (() => void)[]> = { known: [], stranger: [] };
  let isChecking = false;

  const enter = async (lane: Bucket): Promise<void> => {
    if (!isChecking) {
      isChecking = true;
      return;
    }
    const room = waiting[lane];
    if (room.length >= waitingRoom) {
      throw new TooManyRequests(untilThereIsRoom, sentences.gateIsFull);
    }
    await new Promise<void>((called) => room.push(called));
  };
  // The next one is called in before the gate counts as free, so that nobody slips past.
  const leave = (): void => {
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next) next();
    else isChecking = false;
  };

  return {
    async match(password, lane) {
      await enter(lane);
      try {
        const hash = await store.passwordHash();
        return hash !== undefined && (await matches(password, hash)) ? hash : undefined;
      } finally {
        leave();
      }
    },
  };
}
