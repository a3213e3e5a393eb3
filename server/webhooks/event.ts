/**
 * What happened on the site, as the owner's webhook receiver gets it. The OpenAPI document describes the events by
 * these schemas, so a released field must stay.
 */
import { z } from 'zod';
import { callNames } from '../contract/calls.ts';
import { fieldsWith } from '../contract/contact-fields.ts';
import { count, isoTime } from '../text/outputs.ts';

const source = z.string().nullable().describe('Null for a direct visit.');
const button = z.string().nullable().describe('The call-to-action that led to it.');

const messageData = z
  .object({
    id: z.string(),
    ...fieldsWith(z.string(), z.string().nullable()),
  })
  .meta({ id: 'MessageData' });

const bookingData = z
  .object({
    id: z.string(),
    call: z.enum(callNames),
    start: isoTime,
    end: isoTime,
    name: z.string(),
    email: z.string(),
    timeZone: z.string().describe('Of the visitor.'),
    note: z.string().nullable().describe('What the visitor wrote with the booking.'),
    source,
    button,
  })
  .meta({ id: 'BookingData' });

/** Buyers are not named: the id leads to the payment. */
const saleData = z
  .object({
    id: z.string(),
    timestamp: isoTime,
    amount: count.describe('In Stripe’s unit of the currency, such as cents.'),
    refunded: count.describe('In the same unit: all refunds so far.'),
    currency: z.string(),
    source,
    button,
  })
  .meta({ id: 'SaleData' });

const alertData = z
  .object({
    kind: z.string().describe('Stays the same while numbers in the text change.'),
    text: z.string().describe('A sentence for the owner.'),
  })
  .meta({ id: 'AlertData' });

export type SaleData = z.output<typeof saleData>;
export type AlertData = z.output<typeof alertData>;

/** The data of the events by type. */
const dataSchemas = {
  'message.received': messageData,
  'booking.created': bookingData,
  'booking.moved': bookingData,
  'booking.cancelled': bookingData,
  'sale.recorded': saleData,
  'sale.refunded': saleData,
  'alert.raised': alertData,
};

export type EventType = keyof typeof dataSchemas;

/** An event. Its id makes queueing idempotent: letters, digits and `-`; `at` in ms since 1970, UTC. */
export type WebhookEvent = { id: string; at: number } & {
  [Type in EventType]: { type: Type; data: z.output<(typeof dataSchemas)[Type]> };
}[EventType];

/** The schema of the request's body for an event of this type. */
export const bodySchema = (type: EventType) =>
  z.object({ type: z.literal(type), timestamp: isoTime, data: dataSchemas[type] });

export type EventBody = z.output<ReturnType<typeof bodySchema>>;
