/**
 * The admin's password: scrypt, off the event loop, one at a time.
 *
 * A hash costs a third of a second by design, so a flood of guesses is the real danger: it would
 * starve the thread pool that files and DNS need as well. One guess is checked, four may wait, the
 * rest are refused at once.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { TooManyRequests } from '../errors.ts';
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
   * `TooManyRequests` when too many ask at once.
   */
  match(password: string): Promise<string | undefined>;
}

const waitingRoom = 4;

export function createPasswords(store: AuthStore): Passwords {
  let last: Promise<unknown> = Promise.resolve();
  let inside = 0;

  return {
    async match(password) {
      if (inside > waitingRoom) throw new TooManyRequests(1000);
      inside += 1;
      const check = last.then(async () => {
        const hash = await store.passwordHash();
        return hash !== undefined && (await matches(password, hash)) ? hash : undefined;
      });
      last = check
        .catch(() => {})
        .finally(() => {
          inside -= 1;
        });
      return check;
    },
  };
}
