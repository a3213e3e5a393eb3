/**
 * Telling visitors apart for one day, without a cookie and without keeping who they are.
 *
 * The key is a hash of a secret, address block, browser and host; the secret exists for one UTC day.
 * When it is deleted, nobody can compute the key again. Whoever is here at midnight UTC is counted
 * once on each side: the figures say "visitors a day".
 */
import { hash, randomBytes } from 'node:crypto';
import { isbot } from 'isbot';
import type { RequestFacts } from '../context.ts';
import type { AnalyticsStore } from './store.ts';

const msPerDay = 24 * 60 * 60_000;

/** Number of the UTC day since 1970. */
export const dayOf = (at: number) => Math.floor(at / msPerDay);

/** The list of bots is one long pattern, and the same few browsers come again and again. */
const verdicts = new Map<string, boolean>();
const verdictLimit = 1000;

/** Whether a browser of that name is none, or says nothing of itself. */
export function isBot(userAgent: string): boolean {
  const known = verdicts.get(userAgent);
  if (known !== undefined) return known;
  const verdict = userAgent === '' || isbot(userAgent);
  if (verdicts.size >= verdictLimit) verdicts.clear();
  verdicts.set(userAgent, verdict);
  return verdict;
}

/**
 * The visitor's key for the day of `at`: 16 bytes that mean nothing tomorrow. A secret of fixed length
 * before the text and half of the digest behind it need no HMAC: there is nothing to extend. In one
 * call, since each crossing into the crypto library costs more than the hash.
 */
export async function visitorKey(
  { addressBlock, userAgent, host }: RequestFacts,
  at: number,
  salts: (day: number) => Promise<Buffer>,
): Promise<Buffer> {
  const salt = await salts(dayOf(at));
  const text = `${salt.toString('hex')}\n${addressBlock}\n${userAgent}\n${host}`;
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

/** The day's secret, read from the store once a day. */
export function createSalts(store: AnalyticsStore): (day: number) => Promise<Buffer> {
  let current: { day: number; salt: Promise<Buffer> } | undefined;
  return (day) => {
    if (current?.day === day) return current.salt;
    const salt = store.salt(day, randomBytes(32));
    current = { day, salt };
    salt.catch(() => {
      if (current?.salt === salt) current = undefined;
    });
    return salt;
  };
}
