/**
 * An event of Stripe without the person in it: what the sale is made of stays, everything else goes.
 * What stays is listed, since what Stripe may say of a person one day cannot be.
 */
import { sourceText } from '../attribution/source-name.ts';
import { toStorable } from '../text/storable.ts';
import { eventTypes } from './facts.ts';

type Thing = Record<string, unknown>;

/** Names nobody: ids of payments, amounts, times, states. */
const plain = [
  ...['id', 'object', 'created', 'livemode', 'mode', 'status', 'payment_status'],
  ...['amount', 'amount_total', 'currency'],
];

/** How such a payload begins, so that it is known without being read. */
export const redactedStart = '{"redacted":true,';

/** Whether a reference that went along to a checkout is one of ours, which name nobody. */
type IsOurs = (reference: string) => boolean;

/** The payload (JSON of an event) without the person. What it says of its sale but the e-mail is the same. */
export function redacted(payload: string, isOurs: IsOurs): string {
  const { id, object, type, created, livemode, data } = JSON.parse(payload) as Thing;
  const about = eventTypes.includes(String(type))
    ? redactedThing((data as Thing).object, isOurs)
    : {};
  return JSON.stringify({
    redacted: true,
    id,
    object,
    type,
    created,
    livemode,
    data: { object: about },
  });
}

/** A redacted payload whose source names no person; earlier versions left an email address in it. */
export const withCleanSource = (payload: string): string =>
  JSON.stringify(
    JSON.parse(payload, (name: string, value: unknown) =>
      name === 'utm_source' && typeof value === 'string' ? sourceText(value) : value,
    ),
  );

function redactedThing(value: unknown, isOurs: IsOurs): Thing {
  const thing = value as Thing;
  const kept: Thing = {};
  for (const name of plain) {
    if (isPlain(thing[name])) kept[name] = thing[name];
  }
  // An id, or what it stands for.
  const intent = isThing(thing.payment_intent) ? thing.payment_intent.id : thing.payment_intent;
  if (isPlain(intent)) kept.payment_intent = intent;
  if (isThing(thing.currency_conversion)) {
    const { amount_total, source_currency } = thing.currency_conversion;
    kept.currency_conversion = { amount_total, source_currency };
  }
  if (isThing(thing.metadata) && typeof thing.metadata.utm_source === 'string') {
    kept.metadata = { utm_source: sourceText(thing.metadata.utm_source) };
  }
  const reference = thing.client_reference_id;
  if (typeof reference === 'string' && isOurs(reference)) kept.client_reference_id = reference;
  if (isThing(thing.refunds) && Array.isArray(thing.refunds.data)) {
    kept.refunds = { data: thing.refunds.data.map((refund) => redactedThing(refund, isOurs)) };
  }
  return kept;
}

const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null;
const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Whether any text in a payload holds this e-mail address, and not only one that ends like it. */
export function createSearch(email: string): (payload: string) => boolean {
  const escaped = email.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = new RegExp(
    `(?<![\\w.!#$%&'*+/=?^\`{|}~-])${escaped}(?![a-z0-9-]|\\.[a-z0-9])`,
    'iu',
  );
  // As it was written, an `@` or a letter may stand there by its number.
  const isIn = (value: unknown): boolean =>
    typeof value === 'string'
      ? pattern.test(toStorable(value))
      : isThing(value) && Object.values(value).some(isIn);
  return (payload) => isIn(JSON.parse(payload));
}
