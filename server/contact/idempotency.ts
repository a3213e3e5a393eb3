/**
 * Idempotent submission: the page creates one key per form and sends it with every retry. A retry of
 * the same text is the same message; with changed text it is stored as another message, since a
 * duplicate is better than a lost message.
 */
import { createHash } from 'node:crypto';
import type { ContactMessage } from './store.ts';

/** Returns the id that deduplicates a submission: the client's key and a hash of the text. */
export function idempotentId(
  key: string,
  { name, email, company, message }: Omit<ContactMessage, 'id' | 'receivedAt'>,
): string {
  const text = JSON.stringify([name, email, company, message]);
  return `${key} ${createHash('sha256').update(text).digest('base64url')}`;
}

/**
 * When the page was loaded, by the visitor's clock: the timestamp of a key that is a version 7 UUID.
 * Milliseconds since 1970, UTC; undefined for any other key.
 */
export function startedAt(key: string): number | undefined {
  const [, high, low] =
    /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/.exec(key) ?? [];
  return high && low ? Number.parseInt(high + low, 16) : undefined;
}
