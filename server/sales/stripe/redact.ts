/**
 * Removes the person from Stripe's events. An allowlist keeps the fields that a sale needs, since Stripe
 * can add fields with personal data at any time.
 */
import { sourceText } from '../../attribution/source-name.ts';
import { addressSearch } from '../../text/email-address.ts';
import { toStorable } from '../../text/storable.ts';
import { eventTypes } from './facts.ts';

type JsonObject = Record<string, unknown>;

/** Fields without personal data: ids of payments, amounts, times, states. */
const impersonalFields = [
  ...['id', 'object', 'created', 'livemode', 'mode', 'status', 'payment_status'],
  ...['amount', 'amount_total', 'amount_captured', 'amount_refunded', 'currency'],
];

/** Start of a redacted payload, so that SQL can find it without parsing JSON. */
export const redactedStart = '{"redacted":true,';

/** Whether a checkout's reference is one of our attribution tokens, which contain no personal data. */
type IsOurs = (reference: string) => boolean;

/** Returns an event's JSON without the person. The facts of its sale stay the same, except the email address. */
export function redacted(payload: string, isOurs: IsOurs): string {
  const { id, object, type, created, livemode, account, api_version, data } = JSON.parse(
    payload,
  ) as JsonObject;
  const redactedObject = eventTypes.includes(String(type))
    ? redactFields((data as JsonObject).object, isOurs)
    : {};
  return JSON.stringify({
    redacted: true,
    id,
    object,
    type,
    created,
    livemode,
    account,
    api_version,
    data: { object: redactedObject },
  });
}

function redactFields(value: unknown, isOurs: IsOurs): JsonObject {
  const object = value as JsonObject;
  const kept: JsonObject = {};
  for (const name of impersonalFields) {
    if (isScalar(object[name])) kept[name] = object[name];
  }
  for (const name of ['payment_intent', 'payment_link']) {
    // An id, or the expanded object.
    const value = object[name];
    const id = isObject(value) ? value.id : value;
    if (isScalar(id)) kept[name] = id;
  }
  if (isObject(object.currency_conversion)) {
    const { amount_total, source_currency } = object.currency_conversion;
    kept.currency_conversion = { amount_total, source_currency };
  }
  if (isObject(object.total_details) && isScalar(object.total_details.amount_tax)) {
    kept.total_details = { amount_tax: object.total_details.amount_tax };
  }
  if (isObject(object.metadata) && typeof object.metadata.utm_source === 'string') {
    kept.metadata = { utm_source: sourceText(object.metadata.utm_source) };
  }
  const reference = object.client_reference_id;
  if (typeof reference === 'string' && isOurs(reference)) kept.client_reference_id = reference;
  if (isObject(object.refunds) && Array.isArray(object.refunds.data)) {
    kept.refunds = { data: object.refunds.data.map((refund) => redactFields(refund, isOurs)) };
  }
  return kept;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null;
const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Returns a check whether any text in a payload contains exactly this email address. */
export function createSearch(email: string): (payload: string) => boolean {
  const holds = addressSearch(email);
  // Parses the JSON, since a character in it can be escaped (`\u0040`).
  const isIn = (value: unknown): boolean =>
    typeof value === 'string'
      ? holds(toStorable(value))
      : isObject(value) && Object.values(value).some(isIn);
  return (payload) => isIn(JSON.parse(payload));
}
