/**
 * The name of what was sent: the draft's key, which the page makes once and sends with every try, and
 * the words. A try after a lost answer has the same name and is the same message. Words that were
 * changed since are another one: rather kept twice than lost.
 */
import { createHash } from 'node:crypto';
import type { ContactMessage } from './store.ts';

/** The name of a try under `key`. */
export function idempotentId(
  key: string,
  { name, email, company, message }: Omit<ContactMessage, 'id' | 'receivedAt'>,
): string {
  const words = JSON.stringify([name, email, company, message]);
  return `${key} ${createHash('sha256').update(words).digest('base64url')}`;
}

/**
 * When the page says it came, by the visitor's clock: a key that is a UUID of version 7 begins with
 * that moment. Milliseconds since 1970, UTC; undefined for any other key.
 */
export function startedAt(key: string): number | undefined {
  const [, high, low] =
    /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/.exec(key) ?? [];
  return high && low ? Number.parseInt(high + low, 16) : undefined;
}
