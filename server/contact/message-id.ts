import { randomUUID } from 'node:crypto';

/**
 * Returns a version 7 UUID (RFC 9562). It starts with the timestamp, so that concurrent inserts write
 * to the same index page; random UUIDs would each write to a different one.
 *
 * @param at milliseconds since 1970, UTC
 */
export function messageId(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
