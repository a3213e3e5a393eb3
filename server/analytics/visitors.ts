/**
 * Telling visitors apart for one day, without a cookie and without keeping who they are.
 *
 * The key is a hash of a secret, address block, browser and host; the secret exists for one UTC day.
 * When it is deleted, nobody can compute the key again. Whoever is here at midnight UTC is counted
 * once on each side: the figures say "visitors a day".
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
 * Whether a browser of that name is none, or says nothing of itself. The list of bots is one long
 * pattern, and the same few browsers come again and again.
 */
export const isBot = memoize(
  (userAgent: string) => userAgent === '' || isbot(userAgent),
  (userAgent) => userAgent,
);

/**
 * The visitor's key for the day of `at`: 32 hex digits that mean nothing tomorrow. A secret of fixed
 * length before the text and half of the digest behind it need no HMAC: there is nothing to extend. In
 * one call, since each crossing into the crypto library costs more than the hash.
 */
export async function visitorKey(
  { addressBlock, userAgent, host }: RequestInfo,
  at: number,
  salts: (day: number) => Promise<string>,
): Promise<string> {
  const salt = await salts(dayOf(at));
  return hash('sha256', `${salt}\n${addressBlock}\n${userAgent}\n${host}`).slice(0, 32);
}

/** The day's secret in hex digits, read from the store once a day. */
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
