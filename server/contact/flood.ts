/** Decides which messages are still emailed one by one while the form is flooded. */

import type { Quota } from '../rate-limit/limiter.ts';
import { networkOf } from '../rate-limit/network.ts';
import type { Context } from '../trpc/context.ts';
import type { Flood, SpamSign } from './store.ts';

const hour = 60 * 60_000;

/** More messages in an hour than this, without spam, are a flood. */
export const floodAfter = 20;

const ofSite = { max: floodAfter, windowMs: hour };
/** In a flood, only the first message of a network that day is emailed alone. */
const firstOfNetwork = { max: 1, windowMs: 24 * hour };
/** Emails an hour, so that a flood from many networks cannot use up the quota of the mail server. */
const aloneIfClear = { max: 60, windowMs: hour };
const aloneIfDoubtful = { max: 20, windowMs: hour };

/** Counts a message, and decides whether it is emailed alone or in the hourly summary. */
export async function isForSummary(
  { messageLimiter, request }: Pick<Context, 'messageLimiter' | 'request'>,
  { isSpam, signs }: { isSpam: boolean; signs: readonly SpamSign[] },
): Promise<boolean> {
  const isWithin = async (what: string, allowance: Quota) =>
    (await messageLimiter.consume(`contact ${what}`, allowance)) === 0;
  const isFirst = await isWithin(`first ${networkOf(request.addressBlock)}`, firstOfNetwork);
  if (isSpam || (await isWithin('site', ofSite))) return false;
  if (!isFirst) return true;
  return signs.length === 0
    ? !(await isWithin('alone, clear', aloneIfClear))
    : !(await isWithin('alone, doubtful', aloneIfDoubtful));
}

/** The owner alert about a flood, until its summary has reached the mail server. */
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
