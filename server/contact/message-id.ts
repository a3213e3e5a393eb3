import { randomUUID } from 'node:crypto';

/**
 * A UUID of version 7 (RFC 9562): begins with its time, so that messages of one moment stand together
 * on disk. Random ones would each touch a page of their own.
 *
 * @param at milliseconds since 1970, UTC
 */
export function messageId(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
