/**
 * Attribution token: sent to Stripe with the checkout and returned with the payment. The signature proves
 * that this site issued it, though its sources are untrusted URL parameters; it holds no personal data.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { dayMs } from '../time/units.ts';
import { sourceIn } from './source-name.ts';

export interface Attribution {
  /** First-touch source of the last thirty days; null for direct visits. */
  first: string | null;
  /** Path of the last-touch source before the checkout, with its campaign; null for direct visits. */
  last: string | null;
  /** The call-to-action that led to the checkout. */
  button: string | null;
  /** Number of the UTC day of the checkout, since 1970. */
  day: number;
}

/** Length of the truncated HMAC in bytes. */
const signatureLength = 8;

/** Validity in days: bank payments may take long, but a bookmarked checkout link must expire. */
const validDays = 30;

const separator = '\n';
/** Of the format. */
const version = '1';

/** Maximum bytes before the signature. */
const maxContent = 150 - signatureLength;

/**
 * Creates a token of at most 200 base64url characters, the limit of Stripe's `client_reference_id`. It leaves
 * out a campaign that does not fit beside the longest names.
 */
export function tokenOf({ first, last, button, day }: Attribution, key: Buffer): string {
  const contentWith = (path: string) =>
    Buffer.from([version, day, button ?? '', first ?? '', path].join(separator));
  const whole = contentWith(last ?? '');
  const content = whole.length > maxContent ? contentWith(sourceIn(last ?? '')) : whole;
  return Buffer.concat([signatureOf(content, key), content]).toString('base64url');
}

/** Reads a token; undefined when its signature is invalid or it has expired at `at` (ms, UTC). */
export function readToken(token: string, at: number, key: Buffer): Attribution | undefined {
  if (!/^[\w-]{12,200}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const [signature, content] = [
    bytes.subarray(0, signatureLength),
    bytes.subarray(signatureLength),
  ];
  if (signature.length < signatureLength || !timingSafeEqual(signature, signatureOf(content, key)))
    return undefined;
  const [tokenVersion, day, button, first, last] = content.toString().split(separator);
  const age = Math.floor(at / dayMs) - Number(day);
  // Allows one day of clock skew.
  if (tokenVersion !== version || !(age >= -1 && age <= validDays)) return undefined;
  return { first: first || null, last: last || null, button: button || null, day: Number(day) };
}

const signatureOf = (content: Buffer, key: Buffer) =>
  createHmac('sha256', key).update(content).digest().subarray(0, signatureLength);
