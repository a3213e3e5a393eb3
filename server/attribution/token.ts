/**
 * What goes along to the payment provider and comes back with the payment: where the buyer came from.
 * It is signed, so that it can only have come through our door (which a stranger may tell a made-up
 * source, as any address of the page), and names nobody.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sourceText } from './source-name.ts';

export interface Attribution {
  /** The source of the first visit that is known of, within thirty days; null: nobody sent them. */
  first: string | null;
  /** The last source before the checkout. */
  last: string | null;
  /** The call-to-action that led to the checkout. */
  control: string | null;
  /** Number of the UTC day of the checkout, since 1970. */
  day: number;
}

/** Bytes of the signature. */
const tagLength = 8;

/** Most days between the checkout and the payment: a bank may take long, a bookmark is no visit. */
const validity = 30;

const separator = '\n';
const version = '1';

/** At most 200 letters, digits, `-` and `_`, as Stripe's `client_reference_id` takes them. */
export function tokenOf({ first, last, control, day }: Attribution, key: Buffer): string {
  const text = [version, day, control ?? '', first ?? '', last ?? ''].join(separator);
  const content = Buffer.from(text);
  return Buffer.concat([tagOf(content, key), content]).toString('base64url');
}

/** What a token says; undefined when it is none of ours, or too old for a payment `at` (ms, UTC). */
export function readToken(token: string, at: number, key: Buffer): Attribution | undefined {
  if (!/^[\w-]{12,200}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const [tag, content] = [bytes.subarray(0, tagLength), bytes.subarray(tagLength)];
  if (tag.length < tagLength || !timingSafeEqual(tag, tagOf(content, key))) return undefined;
  const [found, day, control, first, last] = content.toString().split(separator);
  const age = Math.floor(at / 86_400_000) - Number(day);
  // The two clocks may be a little apart.
  if (found !== version || !(age >= -1 && age <= validity)) return undefined;
  // Tokens of earlier versions may hold a source that names a person.
  const [cleanFirst, cleanLast] = [first, last].map((name) => (name ? sourceText(name) : null));
  return {
    first: cleanFirst ?? null,
    last: cleanLast ?? null,
    control: control || null,
    day: Number(day),
  };
}

const tagOf = (content: Buffer, key: Buffer) =>
  createHmac('sha256', key).update(content).digest().subarray(0, tagLength);
