/** Quotas on the disk space of messages, by network and for spam. */

import type { Disk } from '../health/disk-space.ts';
import { networkOf } from '../rate-limit/network.ts';
import type { Context } from '../trpc/context.ts';
import { sentences, TooManyRequests } from '../trpc/errors.ts';
import { type ContactMessage, type ContactStore, rowOverhead } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Bytes per day from an address block, and from its IPv6 network of many blocks. */
const networkQuota = { max: 2_000_000, windowMs: 24 * hour };

/** Maximum bytes of the spam folder: with a nightly backup for two weeks, about 1 GB. */
const maxSpamBytes = 64_000_000;

/** How long the measured size of the spam folder is cached, in ms. */
const sizeMaxAge = minute;

/** Quota of messages that look like spam. They are rejected first when disk space is short. */
export interface SpamQuota {
  /** Reserves bytes; false when the spam folder or the disk is too full. */
  consume(bytes: number): Promise<boolean>;
  /** Percentage of the quota in use. */
  used(): Promise<number>;
}

/** Creates the quota of the spam folder. */
export function createSpamQuota({
  contact,
  disk,
  now,
}: {
  contact: Pick<ContactStore, 'spamBytes'>;
  disk: Pick<Disk, 'isNearlyFull'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
}): SpamQuota {
  let size = { at: Number.NEGATIVE_INFINITY, measured: Promise.resolve(0), added: 0 };
  const current = async () => {
    const at = now();
    if (at - size.at >= sizeMaxAge || at < size.at) {
      const fresh = { at, measured: contact.spamBytes(), added: 0 };
      size = fresh;
      fresh.measured.catch(() => {
        fresh.at = Number.NEGATIVE_INFINITY;
      });
    }
    const cached = size;
    return { cached, bytes: (await cached.measured) + cached.added };
  };
  return {
    async consume(bytes) {
      if (await disk.isNearlyFull()) return false;
      const { cached, bytes: stored } = await current();
      if (stored + bytes > maxSpamBytes) return false;
      cached.added += bytes;
      return true;
    },
    used: async () => ((await current()).bytes / maxSpamBytes) * 100,
  };
}

/** Returns the owner alert about a spam folder that is 80% full or more, else undefined. */
export function spamQuotaSentence(used: number): string | undefined {
  if (used < 80) return undefined;
  return `The spam folder is ${Math.floor(used)}% full. Empty it under Messages: once it is full, messages that look like spam are refused.`;
}

/** Returns the estimated bytes of a message on disk. */
export const bytesOf = ({ name, email, company, message }: ContactMessage) =>
  rowOverhead + Buffer.byteLength(`${name}${email}${company ?? ''}${message}`);

/**
 * Counts the bytes of a message against the daily quota of the sender's network. Throws
 * `TooManyRequests` beyond it. Returns the function that refunds them if the message is not stored.
 */
export async function consumeQuota(
  { messageLimiter, request: { addressBlock } }: Pick<Context, 'messageLimiter' | 'request'>,
  bytes: number,
): Promise<() => Promise<void>> {
  const consumed: string[] = [];
  const refund = async () => {
    await Promise.all(consumed.map((key) => messageLimiter.refund(key, bytes)));
  };
  // The larger network first, so that its rejection creates no counts for its blocks.
  for (const network of new Set([networkOf(addressBlock), addressBlock])) {
    const key = `contact bytes ${network}`;
    const wait = await messageLimiter.consume(key, networkQuota, bytes);
    consumed.push(key);
    if (wait === 0) continue;
    await refund();
    throw new TooManyRequests(wait, sentences.tooMuchText);
  }
  return refund;
}

/** Reserves space for a message that looks like spam. Throws `TooManyRequests` when there is none. */
export async function consumeSpamQuota({ spamQuota }: Pick<Context, 'spamQuota'>, bytes: number) {
  if (!(await spamQuota.consume(bytes))) throw new TooManyRequests(hour, sentences.noRoom);
}
