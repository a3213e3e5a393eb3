/** Quota on the disk space of messages that look like spam. They are rejected first when it is short. */

import type { Disk } from '../health/disk-space.ts';
import { minuteMs } from '../time/units.ts';
import type { ContactStore } from './store.ts';

/** Maximum bytes of the spam folder: with a nightly backup for two weeks, about 1 GB. */
const maxSpamBytes = 64_000_000;

/** How long the measured size of the spam folder is cached, in ms. */
const sizeMaxAge = minuteMs;

export type SpamQuota = ReturnType<typeof createSpamQuota>;

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
}) {
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
    /** Reserves bytes; false when the spam folder or the disk is too full. */
    async consume(bytes: number): Promise<boolean> {
      if (await disk.isNearlyFull()) return false;
      const { cached, bytes: stored } = await current();
      if (stored + bytes > maxSpamBytes) return false;
      cached.added += bytes;
      return true;
    },
    /** Percentage of the quota in use. */
    used: async () => ((await current()).bytes / maxSpamBytes) * 100,
  };
}

/** Returns the owner alert about a spam folder that is 80% full or more, else undefined. */
export function spamQuotaSentence(used: number): string | undefined {
  if (used < 80) return undefined;
  return `The spam folder is ${Math.floor(used)}% full. Empty it under Messages: once it is full, messages that look like spam are refused.`;
}
