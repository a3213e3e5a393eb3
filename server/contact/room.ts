/** How much messages may add up to. Each of them may be long; nobody may fill the disk with them. */
import type { Context } from '../context.ts';
import type { Disk } from '../disk.ts';
import { sentences, TooManyRequests } from '../errors.ts';
import { networkOf } from './network.ts';
import type { ContactMessage, ContactStore } from './store.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Bytes a day from an address block, and from an IPv6 network of many blocks. */
const ofNetwork = { max: 2_000_000, per: 24 * hour };

/** Bytes of the spam folder: with a backup each night for two weeks, they take up 1 GB. */
const ofSpam = 64_000_000;

/** How long the measured size of the spam folder is taken for granted, in ms. */
const measureEvery = minute;

/** Room for messages that look like spam: they are refused first. */
export interface SpamRoom {
  /** Takes so many bytes; false when there is no room for them. */
  take(bytes: number): Promise<boolean>;
}

export function createSpamRoom({
  contact,
  disk,
  now,
}: {
  contact: Pick<ContactStore, 'spamBytes'>;
  disk: Pick<Disk, 'isNearlyFull'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
}): SpamRoom {
  let measured = { at: Number.NEGATIVE_INFINITY, bytes: 0 };
  return {
    async take(bytes) {
      if (await disk.isNearlyFull()) return false;
      const at = now();
      if (at - measured.at >= measureEvery || at < measured.at) {
        measured = { at, bytes: await contact.spamBytes() };
      }
      if (measured.bytes + bytes > ofSpam) return false;
      measured.bytes += bytes;
      return true;
    },
  };
}

/** Bytes that a message takes up. */
export const bytesOf = ({ name, email, company, message }: ContactMessage) =>
  Buffer.byteLength(`${name}${email}${company ?? ''}${message}`);

/** Throws `TooManyRequests` when the sender's network has sent too many bytes that day. */
export async function takeRoom(
  { limiter, request: { addressBlock } }: Pick<Context, 'limiter' | 'request'>,
  bytes: number,
): Promise<void> {
  for (const network of new Set([addressBlock, networkOf(addressBlock)])) {
    const wait = await limiter.take(`contact bytes ${network}`, ofNetwork, bytes);
    if (wait > 0) throw new TooManyRequests(wait, sentences.tooMuchText);
  }
}

/** Throws `TooManyRequests` when there is no room for a message that looks like spam. */
export async function takeSpamRoom({ spamRoom }: Pick<Context, 'spamRoom'>, bytes: number) {
  if (!(await spamRoom.take(bytes))) throw new TooManyRequests(hour, sentences.noRoom);
}
