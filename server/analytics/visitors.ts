/**
 * Anonymous visitor keys for one UTC day, without cookies or stored personal data.
 *
 * The key is a hash of a daily salt, address block, user agent and host; once the salt is deleted, the key
 * cannot be recomputed. A visit across midnight UTC counts on both days: the metric is daily visitors.
 */
import { hash, randomBytes } from 'node:crypto';
import { isbot } from 'isbot';
import { memoize } from '../memoize.ts';
import type { RequestInfo } from '../trpc/context.ts';
import type { AnalyticsStore } from './store.ts';

const msPerDay = 24 * 60 * 60_000;

/** Number of the UTC day since 1970. */
export const dayOf = (at: number) => Math.floor(at / msPerDay);

/**
 * Whether a user agent is empty or a known bot. Memoized: the list of bots is one long pattern, and most
 * requests repeat a few user agents.
 */
export const isBot = memoize(
  (userAgent: string) => userAgent === '' || isbot(userAgent),
  (userAgent) => userAgent,
);

/**
 * Returns the visitor's key for the UTC day of `at`: 32 hex digits. A fixed-length salt and a truncated
 * digest prevent length extension without HMAC, and one call to the crypto library is faster.
 */
export async function visitorKey(
  { addressBlock, userAgent, host }: RequestInfo,
  at: number,
  salts: (day: number) => Promise<string>,
): Promise<string> {
  const salt = await salts(dayOf(at));
  return hash('sha256', `${salt}\n${addressBlock}\n${userAgent}\n${host}`).slice(0, 32);
}

/** Returns a function that reads the salt of a UTC day in hex digits, cached for the day. */
export function createSalts(store: AnalyticsStore): (day: number) => Promise<string> {
  let current: { day: number; salt: Promise<string> } | undefined;
  return (day) => {
    if (current?.day === day) return current.salt;
    const salt = store.salt(day, randomBytes(32)).then((bytes) => bytes.toString('hex'));
    current = { day, salt };
    salt.catch(() => {
      if (current?.salt === salt) current = undefined;
    });
    return salt;
  };
}
