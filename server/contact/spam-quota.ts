/** Bounds what messages add up to on the disk. Each of them may be long. */

import type { Disk } from '../health/disk-space.ts';
import { networkOf } from '../rate-limit/network.ts';
import type { Context } from '../trpc/context.ts';
import { sentences, TooManyRequests } from '../trpc/errors.ts';
import { type ContactMessage, type ContactStore, rowOverhead } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Bytes a day from an address block, and from an IPv6 network of many blocks. */
const ofNetwork = { max: 2_000_000, windowMs: 24 * hour };

/** Bytes of the spam folder: with a backup each night for two weeks, they take up 1 GB. */
const ofSpamFolder = 64_000_000;

/** How long the measured size of the spam folder is reused, in ms. */
const measureEvery = minute;

/** Room for messages that look like spam: they are refused first. */
export interface SpamQuota {
  /** Takes so many bytes; false when there is no room for them. */
  consume(bytes: number): Promise<boolean>;
  /** Percent of the spam folder's budget that are used. */
  used(): Promise<number>;
}

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
    if (at - size.at >= measureEvery || at < size.at) {
      const fresh = { at, measured: contact.spamBytes(), added: 0 };
      size = fresh;
      fresh.measured.catch(() => {
        fresh.at = Number.NEGATIVE_INFINITY;
      });
    }
    const known = size;
    return { known, bytes: (await known.measured) + known.added };
  };
  return {
    async consume(bytes) {
      if (await disk.isNearlyFull()) return false;
      const { known, bytes: held } = await current();
      if (held + bytes > ofSpamFolder) return false;
      known.added += bytes;
      return true;
    },
    used: async () => ((await current()).bytes / ofSpamFolder) * 100,
  };
}

/** What the owner must know of the spam folder; undefined while it has room. */
export function spamQuotaSentence(used: number): string | undefined {
  if (used < 80) return undefined;
  return `The spam folder is ${Math.floor(used)}% full. Empty it under Messages: once it is full, messages that look like spam are refused.`;
}

/** Bytes that a message takes up. */
export const bytesOf = ({ name, email, company, message }: ContactMessage) =>
  rowOverhead + Buffer.byteLength(`${name}${email}${company ?? ''}${message}`);

/**
 * Counts the bytes for the sender's network. Throws `TooManyRequests` when it has sent too many that
 * day. Returns a function that takes them back, for a message that is not stored.
 */
export async function consumeQuota(
  { messageLimiter, request: { addressBlock } }: Pick<Context, 'messageLimiter' | 'request'>,
  bytes: number,
): Promise<() => Promise<void>> {
  const taken: string[] = [];
  const release = async () => {
    await Promise.all(taken.map((key) => messageLimiter.refund(key, bytes)));
  };
  // The larger network first: its refusal adds no count for each of its blocks.
  for (const network of new Set([networkOf(addressBlock), addressBlock])) {
    const key = `contact bytes ${network}`;
    const wait = await messageLimiter.consume(key, ofNetwork, bytes);
    taken.push(key);
    if (wait === 0) continue;
    await release();
    throw new TooManyRequests(wait, sentences.tooMuchText);
  }
  return release;
}

/** Throws `TooManyRequests` when there is no room for a message that looks like spam. */
export async function consumeSpamQuota({ spamQuota }: Pick<Context, 'spamQuota'>, bytes: number) {
  if (!(await spamQuota.consume(bytes))) throw new TooManyRequests(hour, sentences.noRoom);
}
