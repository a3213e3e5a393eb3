/**
 * Signed texts of the scheduler: the link of a booking, which stays the same for ever, and the stamp of a
 * form, which says when it was made and is the idempotency key of what it sends.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { dayMs } from '../time/units.ts';

/** Length of the truncated HMAC in bytes. */
const signatureLength = 16;

/** How long a form may stay open, in ms. */
const stampValidMs = dayMs;

/** The token of a booking's link. */
export const tokenOf = (id: string, key: Buffer): string => signed('booking', id, key);

/** Returns the id of the booking; undefined when the signature is wrong. */
export const idIn = (token: string, key: Buffer): string | undefined => read('booking', token, key);

/** The token of the owner's calendar feed. */
export const feedTokenOf = (key: Buffer): string => signed('feed', 'calls', key);

/** Whether the token is that of the owner's calendar feed. */
export const isFeedToken = (token: string, key: Buffer): boolean =>
  read('feed', token, key) !== undefined;

/** Creates the stamp of a form that is made at `now`, milliseconds since 1970, UTC. */
export const stampAt = (now: number, key: Buffer): string =>
  signed('form', `${now}-${randomBytes(9).toString('base64url')}`, key);

/**
 * Returns when the form of a stamp was made, in ms since 1970; undefined when its signature is wrong, or
 * when it is older than a day.
 */
export function stampedAt(stamp: string, now: number, key: Buffer): number | undefined {
  const at = Number(read('form', stamp, key)?.split('-', 1)[0] ?? Number.NaN);
  return now - at <= stampValidMs ? at : undefined;
}

const signed = (purpose: string, content: string, key: Buffer) =>
  `${content}.${signatureOf(purpose, content, key).toString('base64url')}`;

function read(purpose: string, text: string, key: Buffer): string | undefined {
  const [, content, signature] = /^([\w-]{1,80})\.([\w-]{22})$/.exec(text) ?? [];
  if (content === undefined || signature === undefined) return undefined;
  const bytes = Buffer.from(signature, 'base64url');
  return timingSafeEqual(bytes, signatureOf(purpose, content, key)) ? content : undefined;
}

const signatureOf = (purpose: string, content: string, key: Buffer) =>
  createHmac('sha256', key).update(`${purpose} ${content}`).digest().subarray(0, signatureLength);
