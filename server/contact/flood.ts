/** Decides which messages are still emailed one by one while the form is flooded. */

import type { Quota } from '../rate-limit/limiter.ts';
import { networkOf } from '../rate-limit/network.ts';
import type { Context } from '../trpc/context.ts';
import type { Flood, SpamSign } from './store.ts';

const hour = 60 * 60_000;

/** More messages per hour than this, not counting spam, are a flood. */
export const floodAfter = 20;

const siteQuota = { max: floodAfter, windowMs: hour };
/** In a flood, only the first message of a network that day is emailed alone. */
const networkQuota = { max: 1, windowMs: 24 * hour };
/** Limits emails per hour, so that a flood from many networks cannot exhaust the quota of the mail server. */
const clearQuota = { max: 60, windowMs: hour };
const doubtfulQuota = { max: 20, windowMs: hour };

/** Counts a message; returns whether it is emailed in the hourly summary instead of alone. */
export async function isForSummary(
  { messageLimiter, request }: Pick<Context, 'messageLimiter' | 'request'>,
  { isSpam, signs }: { isSpam: boolean; signs: readonly SpamSign[] },
): Promise<boolean> {
  const isWithin = async (key: string, quota: Quota) =>
    (await messageLimiter.consume(`contact ${key}`, quota)) === 0;
  const isFirst = await isWithin(`first ${networkOf(request.addressBlock)}`, networkQuota);
  if (isSpam || (await isWithin('site', siteQuota))) return false;
  if (!isFirst) return true;
  return signs.length === 0
    ? !(await isWithin('alone, clear', clearQuota))
    : !(await isWithin('alone, doubtful', doubtfulQuota));
}

/** Returns the owner alert about a flood; undefined when there is none and no summary waits. */
export function floodSentence(
  { inLastHour, waiting }: Flood,
  isMailed: boolean,
): string | undefined {
  const count = waiting === 1 ? 'One message waits' : `${waiting} messages wait`;
  const sentences = [
    inLastHour > floodAfter && `Many messages are arriving: ${inLastHour} in the last hour.`,
    isMailed && waiting > 0 && `${count} for the hourly summary email.`,
  ].filter(Boolean);
  if (sentences.length === 0) return undefined;
  return [...sentences, 'All of them are under Messages.'].join(' ');
}
