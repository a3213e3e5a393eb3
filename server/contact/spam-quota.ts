/** Quota on the disk space of messages that look like spam. They are rejected first when it is short. */

import { cachedLoad } from '../cached-load.ts';
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
  const size = cachedLoad(async () => ({ bytes: await contact.spamBytes() }), {
    maxAgeMs: sizeMaxAge,
    now,
  });
  return {
    /** Reserves bytes; false when the spam folder or the disk is too full. */
    async consume(bytes: number): Promise<boolean> {
      if (await disk.isNearlyFull()) return false;
      const stored = await size.read();
      if (stored.bytes + bytes > maxSpamBytes) return false;
      stored.bytes += bytes;
      return true;
    },
    /** Percentage of the quota in use. */
    used: async () => ((await size.read()).bytes / maxSpamBytes) * 100,
  };
}

/** Returns the owner alert about a spam folder that is 80% full or more, else undefined. */
export function spamQuotaSentence(used: number): string | undefined {
  if (used < 80) return undefined;
  return `The spam folder is ${Math.floor(used)}% full. Empty it under Messages: once it is full, messages that look like spam are refused.`;
}
